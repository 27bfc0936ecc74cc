# Prints popscope's answers about the perceptron's liveness (examples/mlp). Argument: the folder of binaries.
set -eu
binaries=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
profileOf() {
  POPLAR_ENGINE_OPTIONS='{"autoReport.directory":".","autoReport.outputGraphProfile":"true","autoReport.outputLivenessExplanation":"true"}' \
    "$binaries/mlp" --epochs 1 --no-summary "$@" > /dev/null 2>&1 || test $? -eq 1 # 1: one epoch is not enough training
}
profileOf
"$binaries/popscope" advise profile.pop
echo
"$binaries/popscope" why profile.pop images
echo
"$binaries/popscope" why profile.pop Layer1/Bwd/deltas
echo
"$binaries/popscope" why profile.pop Layer1/Fwd/weights --step 27
echo
"$binaries/popscope" why profile.pop 'Layer1/*' -n 2
echo
"$binaries/popscope" why profile.pop --name weights --step 40 -n 2 --csv
echo
echo "With --split-backward:"
profileOf --split-backward
"$binaries/popscope" advise profile.pop
echo
"$binaries/popscope" why profile.pop Layer1/Bwd/deltas --step 42
echo
echo "With --split-backward --write-undef:"
profileOf --split-backward --write-undef
"$binaries/popscope" advise profile.pop
