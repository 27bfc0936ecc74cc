"""examples/mlp in Python: the same perceptron with the same mapping to tiles and the codelets of the C++ program.

    python3 perceptron.py CODELETS DATA [EPOCHS]     # examples/mlp/mlp_codelets.cpp, a folder with MNIST's four files

A test compares the profile of this program with the profile of the C++ program.
"""

import pathlib
import sys
from typing import Any, List, Tuple

import numpy

from popscope import poplar
from popscope.poplar import program

INPUTS, HIDDEN, OUTPUTS, BATCH, GROUP, WORKERS = 784, 30, 10, 16, 8, 6
GROUPS = INPUTS // GROUP
HIDDEN_GROUPS, BATCH_PARTS = [(0, 8), (8, 16), (16, 24), (24, 30)], [(0, 6), (6, 12), (12, 16)]
HIDDEN_TILE = GROUPS * len(HIDDEN_GROUPS)
OUTPUT_TILE = HIDDEN_TILE + HIDDEN * len(BATCH_PARTS)
SCORE_TILE = OUTPUT_TILE + OUTPUTS
TOTALS_TILE = SCORE_TILE + 3
BATCHES_PER_RUN, RATE = 5, 3.0


def hiddenTile(unit: int, part: int) -> int:
    return HIDDEN_TILE + unit * len(BATCH_PARTS) + part


def shares(items: int) -> List[Tuple[int, int]]:
    """Divides the items among six workers, in runs that are as equal as possible. Returns the begin and end of each run."""
    begin = [items // WORKERS * w + min(w, items % WORKERS) for w in range(WORKERS + 1)]
    return list(zip(begin, begin[1:]))


def rows(matrix: poplar.Tensor) -> List[poplar.Tensor]:
    """Returns the rows of the matrix. The caller connects each row as a separate edge."""
    return [matrix[i].flatten() for i in range(matrix.dim(0))]


class Network:
    """The variables, vertices and programs of the perceptron, in a graph that already has the codelets."""

    def __init__(self, graph: poplar.Graph) -> None:
        self.graph = graph
        self.addWeights()
        self.addStreams()
        read, forward = self.addForward()
        score = self.addScore()
        backward = self.addBackward()
        update = self.addUpdate()
        matrix = self.hiddenWeights.dimShuffle([1, 0, 2]).reshape([HIDDEN, INPUTS])
        copies = ((self.hiddenWeightsIn, matrix, "Layer1/weights"), (self.hiddenBiasesIn, self.hiddenBiases, "Layer1/biases"),
                  (self.outputWeightsIn, self.outputWeights, "Layer3/weights"), (self.outputBiasesIn, self.outputBiases, "Layer3/biases"))
        init = program.Sequence([program.Copy(stream, to, name="init/" + name) for stream, to, name in copies], "init")
        noHits = graph.addConstant(poplar.UNSIGNED_INT, [], 0, "zero/numCorrect")
        noLoss = graph.addConstant(poplar.FLOAT, [], 0.0, "zero/loss")
        for constant in (noHits, noLoss):
            graph.setTileMapping(constant, TOTALS_TILE)
        clear = program.Sequence([program.Copy(noHits, self.correct, name="clear/numCorrect"), program.Copy(noLoss, self.loss, name="clear/loss")], "clear")
        report = program.Sequence([program.Copy(self.correct, self.correctOut, name="report/numCorrect"), program.Copy(self.loss, self.lossOut, name="report/loss")], "report")
        learn = program.Sequence([read, forward, score, backward, update], "learn")
        look = program.Sequence([read, forward, score], "look")
        train = program.Sequence([clear, program.Repeat(BATCHES_PER_RUN, learn, "train/batches"), report], "train")
        test = program.Sequence([clear, program.Repeat(BATCHES_PER_RUN, look, "test/batches"), report], "test")
        self.programs = [init, train, test]

    def variable(self, name: str, shape: List[int], type_: poplar.Type = poplar.FLOAT) -> poplar.Tensor:
        return self.graph.addVariable(type_, shape, name)

    def addWeights(self) -> None:
        graph = self.graph
        self.hiddenWeights = self.variable("Layer1/Fwd/weights", [GROUPS, HIDDEN, GROUP])
        for g in range(GROUPS):
            for h, (begin, end) in enumerate(HIDDEN_GROUPS):
                graph.setTileMapping(self.hiddenWeights[g, begin:end], g * len(HIDDEN_GROUPS) + h)
        self.hiddenBiases = self.variable("Layer1/Fwd/biases", [HIDDEN])
        for unit in range(HIDDEN):
            graph.setTileMapping(self.hiddenBiases[unit], hiddenTile(unit, 0))
        self.outputWeights, self.outputBiases = self.variable("Layer3/Fwd/weights", [OUTPUTS, HIDDEN]), self.variable("Layer3/Fwd/biases", [OUTPUTS])
        for unit in range(OUTPUTS):
            graph.setTileMapping(self.outputWeights[unit], OUTPUT_TILE + unit)
            graph.setTileMapping(self.outputBiases[unit], OUTPUT_TILE + unit)
        self.correct, self.loss = self.variable("numCorrect", [], poplar.UNSIGNED_INT), self.variable("loss", [])
        for total in (self.correct, self.loss):
            graph.setTileMapping(total, TOTALS_TILE)

    def addStreams(self) -> None:
        graph = self.graph
        self.hiddenWeightsIn = graph.addHostToDeviceFIFO("Layer1/weights", poplar.FLOAT, HIDDEN * INPUTS)
        self.hiddenBiasesIn = graph.addHostToDeviceFIFO("Layer1/biases", poplar.FLOAT, HIDDEN)
        self.outputWeightsIn = graph.addHostToDeviceFIFO("Layer3/weights", poplar.FLOAT, OUTPUTS * HIDDEN)
        self.outputBiasesIn = graph.addHostToDeviceFIFO("Layer3/biases", poplar.FLOAT, OUTPUTS)
        self.imagesIn = graph.addHostToDeviceFIFO("images", poplar.FLOAT, BATCH * INPUTS)
        self.labelsIn = graph.addHostToDeviceFIFO("labels", poplar.UNSIGNED_INT, BATCH)
        self.correctOut = graph.addDeviceToHostFIFO("numCorrect", poplar.UNSIGNED_INT, 1)
        self.lossOut = graph.addDeviceToHostFIFO("loss", poplar.FLOAT, 1)

    def addForward(self) -> Tuple[program.Program, program.Program]:
        graph = self.graph
        self.images = self.variable("images", [GROUPS, BATCH, GROUP])
        self.labels = self.variable("labels", [BATCH], poplar.UNSIGNED_INT)
        self.partials = self.variable("Layer1/Fwd/partials", [GROUPS, HIDDEN, BATCH])
        self.hidden = self.variable("Layer1/Fwd/activations", [HIDDEN, BATCH])
        self.out = self.variable("Layer3/Fwd/activations", [OUTPUTS, BATCH])
        multiply = graph.addComputeSet("Layer1/Fwd/Multiply")
        quarter = BATCH // len(HIDDEN_GROUPS)
        for g in range(GROUPS):
            for h, (begin, end) in enumerate(HIDDEN_GROUPS):
                tile = g * len(HIDDEN_GROUPS) + h
                partials = self.partials[g, begin:end]
                graph.setTileMapping(self.images[g, h * quarter:(h + 1) * quarter], tile)
                graph.setTileMapping(partials, tile)
                graph.addVertex(multiply, "PartialProducts", {
                    "weights": self.hiddenWeights[g, begin:end].flatten(), "in": self.images[g].flatten(), "partials": partials.flatten(),
                    "inputs": GROUP, "batch": BATCH}, tile)
        reduce, activate = graph.addComputeSet("Layer1/Fwd/Reduce"), graph.addComputeSet("Layer1/Fwd/NonLinearity")
        for unit in range(HIDDEN):
            for part, (begin, end) in enumerate(BATCH_PARTS):
                sums, tile = self.hidden[unit, begin:end], hiddenTile(unit, part)
                graph.setTileMapping(sums, tile)
                graph.addVertex(reduce, "ReducePartials", {"rows": rows(self.partials[:, unit:unit + 1, begin:end]), "out": sums}, tile)
                graph.addVertex(activate, "BiasSigmoid", {"data": sums, "bias": self.hiddenBiases[unit]}, tile)
        dense = graph.addComputeSet("Layer3/Fwd/Dense")
        for unit in range(OUTPUTS):
            graph.setTileMapping(self.out[unit], OUTPUT_TILE + unit)
            for begin, end in shares(BATCH):
                graph.addVertex(dense, "DenseSigmoid", {"in": rows(self.hidden.slice(begin, end, 1)), "weights": self.outputWeights[unit],
                                                        "bias": self.outputBiases[unit], "out": self.out[unit, begin:end]}, OUTPUT_TILE + unit)
        images = self.images.dimShuffle([1, 0, 2]).reshape([BATCH, INPUTS])
        read = program.Sequence([program.Copy(self.imagesIn, images, name="read/images"), program.Copy(self.labelsIn, self.labels, name="read/labels")], "read")
        return read, program.Sequence([program.Execute(multiply, "Layer1/Fwd/Multiply"), program.Execute(reduce, "Layer1/Fwd/Reduce"),
                                       program.Execute(activate, "Layer1/Fwd/NonLinearity"), program.Execute(dense, "Layer3/Fwd/Dense")], "forward")

    def addScore(self) -> program.Program:
        graph = self.graph
        self.outDelta, losses = self.variable("Layer3/Bwd/deltas", [OUTPUTS, BATCH]), self.variable("Layer5/Loss/losses", [OUTPUTS, WORKERS])
        hits = self.variable("Layer5/Loss/hits", [BATCH], poplar.UNSIGNED_INT)
        score = graph.addComputeSet("Layer5/Loss/SumSquared")
        for unit in range(OUTPUTS):
            tile = OUTPUT_TILE + unit
            graph.setTileMapping(self.outDelta[unit], tile)
            graph.setTileMapping(losses[unit], tile)
            for worker, (begin, end) in enumerate(shares(BATCH)):
                graph.addVertex(score, "SumSquaredError", {"out": self.out[unit, begin:end], "labels": self.labels[begin:end],
                                                           "delta": self.outDelta[unit, begin:end], "loss": losses[unit, worker], "unit": unit}, tile)
        for digit in range(BATCH):
            tile = SCORE_TILE + digit // WORKERS
            graph.setTileMapping(self.labels[digit], tile)
            graph.setTileMapping(hits[digit], tile)
            graph.addVertex(score, "IsCorrect", {"out": self.out[:, digit], "label": self.labels[digit], "correct": hits[digit]}, tile)
        total = graph.addComputeSet("Layer5/Loss/Totals")
        graph.addVertex(total, "AddToTotal<unsigned int>", {"parts": hits, "total": self.correct}, TOTALS_TILE)
        graph.addVertex(total, "AddToTotal<float>", {"parts": losses.flatten(), "total": self.loss}, TOTALS_TILE)
        return program.Sequence([program.Execute(score, "Layer5/Loss/SumSquared"), program.Execute(total, "Layer5/Loss/Totals")], "score")

    def addBackward(self) -> program.Program:
        graph = self.graph
        self.hiddenDelta = self.variable("Layer1/Bwd/deltas", [HIDDEN, BATCH])
        backward = graph.addComputeSet("Layer3/Bwd/HiddenError")
        for unit in range(HIDDEN):
            for part, (begin, end) in enumerate(BATCH_PARTS):
                delta, tile = self.hiddenDelta[unit, begin:end], hiddenTile(unit, part)
                graph.setTileMapping(delta, tile)
                graph.addVertex(backward, "HiddenError", {"weights": self.outputWeights[:, unit], "next": rows(self.outDelta.slice(begin, end, 1)),
                                                          "act": self.hidden[unit, begin:end], "delta": delta}, tile)
        return program.Sequence([program.Execute(backward, "Layer3/Bwd/HiddenError")], "backward")

    def addUpdate(self) -> program.Program:
        graph = self.graph
        rate = float(numpy.float32(RATE) / numpy.float32(BATCH))
        output = graph.addComputeSet("Layer3/Wu/Update")
        for unit in range(OUTPUTS):
            tile = OUTPUT_TILE + unit
            for begin, end in shares(HIDDEN):
                graph.addVertex(output, "UpdateRow", {"weights": self.outputWeights[unit, begin:end], "in": self.hidden[begin:end].flatten(),
                                                      "delta": self.outDelta[unit], "rate": rate}, tile)
            graph.addVertex(output, "UpdateBias", {"bias": self.outputBiases[unit], "delta": self.outDelta[unit], "rate": rate}, tile)
        hidden = graph.addComputeSet("Layer1/Wu/Update")
        for g in range(GROUPS):
            for h, (begin, end) in enumerate(HIDDEN_GROUPS):
                graph.addVertex(hidden, "UpdateBlock", {"weights": self.hiddenWeights[g, begin:end].flatten(), "delta": self.hiddenDelta[begin:end].flatten(),
                                                        "in": self.images[g].flatten(), "inputs": GROUP, "batch": BATCH, "rate": rate}, g * len(HIDDEN_GROUPS) + h)
        for unit in range(HIDDEN):
            graph.addVertex(hidden, "UpdateBias", {"bias": self.hiddenBiases[unit], "delta": self.hiddenDelta[unit], "rate": rate}, hiddenTile(unit, 0))
        return program.Sequence([program.Execute(output, "Layer3/Wu/Update"), program.Execute(hidden, "Layer1/Wu/Update")], "update")


class Random:
    """Generates the same random numbers as examples/mlp/Random.hpp."""

    def __init__(self, seed: int) -> None:
        self.state = numpy.random.RandomState(seed)

    def bits(self, count: int) -> Any:
        return self.state.randint(0, 2**32, count, dtype=numpy.uint32)

    def weights(self, outputs: int, inputs: int) -> Any:
        limit = numpy.sqrt(numpy.float32(3.0) / numpy.float32(inputs))
        return -limit + (limit + limit) * (self.bits(outputs * inputs) >> 8).astype("f4") / numpy.float32(16777216)

    def order(self, count: int) -> List[int]:
        result = list(range(count))
        for i, bits in zip(range(count, 1, -1), self.bits(count - 1).tolist()):
            j = bits * i >> 32
            result[i - 1], result[j] = result[j], result[i - 1]
        return result


class Feed:
    """Supplies digits batch by batch. After the last digit, supplies blank images, for which no answer is correct."""

    def start(self, images: Any, labels: Any, order: List[int]) -> None:
        self.sets, self.order, self.at = (images, labels), order, [0, 0]

    def fill(self, which: int, array: Any, width: int, blank: int) -> None:
        batch = array.reshape(BATCH, width)
        taken = self.order[self.at[which]:self.at[which] + BATCH]
        self.at[which] += len(taken)
        batch[:len(taken)] = self.sets[which][taken].reshape(-1, width)
        batch[len(taken):] = blank

    def images(self, array: Any) -> None:
        self.fill(0, array, INPUTS, 0)

    def labels(self, array: Any) -> None:
        self.fill(1, array, 1, 2**32 - 1)


def readSet(folder: pathlib.Path, name: str) -> Tuple[Any, Any]:
    """Returns images as [count][784] floats, and labels, from files in the IDX format."""
    images = numpy.frombuffer((folder / (name + "-images-idx3-ubyte")).read_bytes(), "u1", offset=16).reshape(-1, INPUTS)
    labels = numpy.frombuffer((folder / (name + "-labels-idx1-ubyte")).read_bytes(), "u1", offset=8)
    return images.astype("f4") / numpy.float32(255), labels.astype("u4")


def train(codelets: str, folder: str, epochs: int = 1) -> Tuple[poplar.Engine, List[float]]:
    """Returns the engine, and the share of held-back digits that are classified correctly after each epoch."""
    model = poplar.IPUModel("ipu1")
    model.tilesPerIPU = 1216
    model.compileIPUCode = True
    device = model.createDevice()
    graph = poplar.Graph(device)
    graph.addCodelets(codelets, compileFlags="-O3")
    network = Network(graph)
    engine = poplar.Engine(graph, network.programs)
    random, feed = Random(1), Feed()
    engine.connectStream(network.hiddenWeightsIn, random.weights(HIDDEN, INPUTS))
    engine.connectStream(network.outputWeightsIn, random.weights(OUTPUTS, HIDDEN))
    engine.connectStream(network.hiddenBiasesIn, numpy.zeros(HIDDEN, "f4"))
    engine.connectStream(network.outputBiasesIn, numpy.zeros(OUTPUTS, "f4"))
    engine.connectStreamToCallback(network.imagesIn, feed.images)
    engine.connectStreamToCallback(network.labelsIn, feed.labels)
    correct, loss = numpy.zeros(1, "u4"), numpy.zeros(1, "f4")
    engine.connectStream(network.correctOut, correct)
    engine.connectStream(network.lossOut, loss)
    engine.load(device)
    engine.run(0, "init")
    sets = {name: readSet(pathlib.Path(folder), name) for name in ("train", "t10k")}
    accuracies = []
    for _ in range(epochs):
        for number, name in ((1, "train"), (2, "t10k")):
            images, labels = sets[name]
            feed.start(images, labels, random.order(len(labels)) if number == 1 else list(range(len(labels))))
            hits = 0
            for _ in range(-(-len(labels) // (BATCH * BATCHES_PER_RUN))):
                engine.run(number, "train" if number == 1 else "test")
                hits += int(correct[0])
        accuracies.append(hits / len(labels))
    return engine, accuracies


def main(words: List[str]) -> None:
    engine, accuracies = train(words[0], words[1], int(words[2]) if len(words) > 2 else 1)
    for epoch, accuracy in enumerate(accuracies, 1):
        print("Epoch %d: %.1f %% of the held-back digits" % (epoch, 100 * accuracy))
    engine.printProfileSummary({"showVarStorage": True, "showExecutionSteps": True})


if __name__ == "__main__":
    main(sys.argv[1:])
