#include "graph/lowering/ShareFieldData.hpp"
#include "graph/codelets/TileLayout.hpp"
#include "graph/lowering/FormTable.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

bool isPointerTable(const FieldInfo &field) {
  return field.shape == FieldShape::VectorOfScalars || field.shape == FieldShape::VectorOfVectors;
}
bool isConstData(const FieldInfo &field) {
  return field.shape == FieldShape::Vector && field.direction == FieldDirection::State && field.readOnly;
}

class FieldDataSharer {
public:
  FieldDataSharer(StepProgram &program, const CodeletSet &codelets, const std::string &architecture)
      : p_(program), codelets_(codelets), architecture_(architecture), footprints_(program.footprints),
        forms_(program.forms) {}

  void run() {
    collect();
    std::sort(parts_.begin(), parts_.end(), [](const Part &a, const Part &b) {
      return std::tie(a.tile, a.content, a.vertex, a.field) < std::tie(b.tile, b.content, b.vertex, b.field);
    });
    for (std::size_t begin = 0, end = 0; begin < parts_.size(); begin = end) {
      while (end < parts_.size() && parts_[end].tile == parts_[begin].tile &&
             parts_[end].content == parts_[begin].content)
        ++end;
      if (end - begin > 1)
        share(begin, end);
    }
    p_.passes.push_back({"ShareFieldData", "bytes of field data", before_.count(), (before_ - saved_).count()});
  }

private:
  /// The data of one field of one vertex. Parts with equal `content` have equal bytes on the tile.
  struct Part {
    TileId tile;
    std::vector<std::uint64_t> content;
    std::uint32_t vertex = 0;
    std::uint16_t field = 0;
    Bytes32 bytes;
  };

  void collect() {
    std::vector<std::vector<std::uint16_t>> fieldsOf; // per vertex type
    for (std::size_t t = 0; t < p_.vertexTypes.size(); ++t) {
      fieldsOf.emplace_back();
      const std::int64_t codelet = p_.vertexTypes[p_.vertexTypes.idAt(t)].codelet;
      if (codelet < 0)
        continue;
      const auto &fields = codelets_.at(static_cast<int>(codelet)).fields;
      for (std::size_t f = 0; f < fields.size(); ++f)
        if (isPointerTable(fields[f]) || isConstData(fields[f]))
          fieldsOf.back().push_back(static_cast<std::uint16_t>(f));
    }
    for (std::uint32_t v = 0; v < p_.vertices.size(); ++v) {
      before_ += p_.footprints[p_.formOf(p_.vertices[v]).footprint].fieldData;
      for (const std::uint16_t field : fieldsOf[p_.vertices[v].type.index()])
        addPart(v, field);
    }
  }
  void addPart(std::uint32_t v, std::uint16_t field) {
    const StepVertex &vertex = p_.vertices[v];
    const FieldInfo &info = codelets_.at(static_cast<int>(p_.vertexTypes[vertex.type].codelet)).fields[field];
    Part part;
    part.tile = vertex.tile;
    part.vertex = v;
    part.field = field;
    FieldCounts counts;
    if (isPointerTable(info))
      pointerContent(vertex, field, info, part.content, counts);
    else
      valueContent(vertex, field, info, part.content, counts);
    part.bytes = Bytes32(tileFieldBytes(info, counts, architecture_).fieldData);
    if (part.bytes > Bytes32())
      parts_.push_back(std::move(part));
  }
  void pointerContent(const StepVertex &vertex, std::uint16_t field, const FieldInfo &info,
                      std::vector<std::uint64_t> &content, FieldCounts &counts) const {
    content = {0, static_cast<std::uint64_t>(info.shape), static_cast<std::uint64_t>(info.inner), info.minAlign};
    for (const VertexEdge edge : p_.edgesOf(vertex)) {
      if (edge.field != field)
        continue;
      content.insert(content.end(), {edge.subIndex, edge.elements == 0 ? ~std::uint64_t(0) : edge.home.index(),
                                     edge.offset.count(), edge.elements});
      counts.elements = std::max<std::uint64_t>(counts.elements, edge.subIndex + std::uint64_t(1));
    }
  }
  void valueContent(const StepVertex &vertex, std::uint16_t field, const FieldInfo &info,
                    std::vector<std::uint64_t> &content, FieldCounts &counts) const {
    content = {1, elementBytes(info.type)};
    for (std::uint32_t s = vertex.firstState; s < vertex.firstState + p_.formOf(vertex).numState; ++s) {
      const StateValue &state = p_.states[s];
      if (state.field != field)
        continue;
      counts.elements = state.elements;
      const std::uint64_t bytes = state.elements * elementBytes(info.type);
      content.push_back(bytes);
      for (std::uint64_t b = 0; b < bytes; ++b)
        content.push_back(p_.data[state.firstByte + b]);
    }
  }
  void share(std::size_t begin, std::size_t end) {
    SharedData shared;
    shared.tile = parts_[begin].tile;
    shared.bytes = parts_[begin].bytes;
    shared.firstUse = static_cast<std::uint32_t>(p_.sharedUses.size());
    shared.numUses = static_cast<std::uint32_t>(end - begin);
    saved_ += shared.bytes * (shared.numUses - 1);
    for (std::size_t i = begin; i < end; ++i) {
      p_.sharedUses.push_back({parts_[i].vertex, parts_[i].field});
      StepVertex &vertex = p_.vertices[parts_[i].vertex];
      VertexForm form = p_.formOf(vertex);
      VertexFootprint f = p_.footprints[form.footprint];
      const bool pointers = parts_[i].content.front() == 0;
      f.fieldData -= shared.bytes;
      (pointers ? f.edgePointers : f.internalState) -= shared.bytes;
      form.footprint = footprints_.numberOf(f);
      vertex.form = forms_.numberOf(form);
    }
    p_.sharedData.push_back(shared);
  }

  StepProgram &p_;
  const CodeletSet &codelets_;
  const std::string &architecture_;
  FootprintTable footprints_;
  FormRows forms_;
  std::vector<Part> parts_;
  Bytes before_, saved_;
};

} // namespace

void shareFieldData(StepProgram &program, const CodeletSet &codelets, const std::string &architecture) {
  FieldDataSharer(program, codelets, architecture).run();
}

} // namespace popscope
