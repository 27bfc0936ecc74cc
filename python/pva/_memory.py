"""Memory of tiles. All figures in bytes."""

from __future__ import annotations

from typing import Any, NamedTuple

from pva._list import Handle, List
from pva._model import Model

_NON_INTERLEAVED, _INTERLEAVED, _OVERFLOWED = range(3)


class MemorySize(NamedTuple):
    """includingGaps: end of the highest used address. excludingGaps: occupied bytes."""

    includingGaps: int
    excludingGaps: int


class CategoryRegion(NamedTuple):
    """Bytes of one category in one region. overlapped: sum over allocations that share addresses with others at other
    times."""

    nonOverlapped: int
    overlapped: int


class Category(NamedTuple):
    nonInterleaved: CategoryRegion
    interleaved: CategoryRegion
    overflowed: CategoryRegion

    @property
    def total(self) -> int:
        """Sum over regions, overlapped and not."""
        return sum(sum(region) for region in self)


def _categoryField(name: str) -> property:
    def get(self: "Categories") -> Category:
        return self._byName(name)
    return property(get, doc="Bytes of the storage category %s, a Category." % name)


class Categories(Handle):
    """The storage categories of a tile by name; `list(categories)` gives (name, Category) pairs."""

    __slots__ = ("_model", "_tile")

    def __init__(self, model: Model, tile: int) -> None:
        self._model, self._tile = model, tile

    def _byName(self, name: str) -> Category:
        names = self._model.categories
        return self.byIndex(names.index(name)) if name in names else Category(*[CategoryRegion(0, 0)] * 3)

    def byIndex(self, index: int) -> Category:
        """Extension: a category by its position in storageCategoryNames()."""
        tiles, stored = self._model.tileMemory, self._model.storedTile(self._tile)
        known = tiles.category[stored] if stored < len(tiles.category) else {}
        return Category(*(CategoryRegion(known.get((index, region, 0), 0), known.get((index, region, 1), 0))
                          for region in range(3)))

    def __iter__(self) -> Any:
        return iter([(name, self._byName(name)) for name in storageCategoryNames()])

    def __repr__(self) -> str:
        return "Categories(%s)" % ", ".join("%s=%d" % (n, c.total) for n, c in self if c.total)


_NAMES = ("constant", "controlCode", "controlId", "controlTable", "copyDescriptor", "globalExchangeCode",
          "globalExchangePacketHeader", "globalMessage", "hostExchangeCode", "hostExchangePacketHeader", "hostMessage",
          "instrumentationResults", "internalExchangeCode", "message", "multiple", "outputEdge", "rearrangement",
          "sharedCodeStorage", "sharedDataStorage", "stack", "variable", "vectorListDescriptor", "vertexCode",
          "vertexFieldData", "vertexInstanceState")
for _name in _NAMES:
    setattr(Categories, _name, _categoryField(_name))


def storageCategoryNames() -> "list[str]":
    """Extension: the 25 names, in the order of Categories.byIndex()."""
    return list(_NAMES)


class VertexType(Handle):
    __slots__ = ("_model", "_id")
    _shown = ("name", "size")

    def __init__(self, model: Model, id: int) -> None:
        self._model, self._id = model, id

    def _row(self) -> Any:
        return self._model.vertexTypes[self._id]

    @property
    def name(self) -> str:
        """As it was registered, with template arguments."""
        return self._row().name

    @property
    def size(self) -> int:
        """State bytes of one instance."""
        return self._row().state_bytes

    @property
    def instances(self) -> int:
        """Extension: number of vertices over all tiles."""
        return self._row().instances

    @property
    def memoryBytes(self) -> int:
        """Extension: state, field data and descriptors of all instances, and the code once per tile."""
        return self._row().memory_bytes

    @property
    def cycleProvenance(self) -> str:
        """Extension: estimate, estimator, codelet, stand-in, runtime or ""."""
        return self._row().cycle_provenance

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VertexType):
            return NotImplemented
        return self._id == other._id and self._model is other._model

    def __hash__(self) -> int:
        return hash((VertexType, self._id))


class VertexOnTile(Handle):
    """Vertices of one type on one tile. Bytes."""

    __slots__ = ("_model", "_row")
    _shown = ("type", "count", "codeBytes")

    def __init__(self, model: Model, row: Any) -> None:
        self._model, self._row = model, row

    @property
    def type(self) -> VertexType:
        return VertexType(self._model, self._row.vertex_type)

    @property
    def count(self) -> int:
        """Instances on this tile."""
        return self._row.instances

    @property
    def codeBytes(self) -> int:
        """Code of this type on this tile, however many instances."""
        return self._row.code_bytes

    @property
    def vertexDataBytes(self) -> int:
        """Fields that are no edges."""
        return self._row.internal_state

    @property
    def edgePtrBytes(self) -> int:
        """Pointers and lengths of edges."""
        return self._row.edge_pointers

    @property
    def copyPtrBytes(self) -> int:
        """Pointers of copy vertices."""
        return self._row.copy_pointers

    @property
    def paddingBytes(self) -> int:
        """Lost to alignment between fields."""
        return self._row.padding

    @property
    def descriptorBytes(self) -> int:
        """Descriptors of copies and of nested vectors."""
        return self._row.descriptors


class TileMemory(Handle):
    """Memory of one tile, bytes. All 0 where the target has no tile memory (CPU)."""

    __slots__ = ("_model", "_tile")
    _shown = ("total", "alwaysLiveBytes", "notAlwaysLiveBytes")

    def __init__(self, model: Model, tile: int) -> None:
        self._model, self._tile = model, tile

    def _bytes(self, column: str) -> int:
        rows, stored = self._model.tileMemory.rows, self._model.storedTile(self._tile)
        return getattr(rows[stored], column) if stored < len(rows) else 0

    def _size(self, column: str) -> MemorySize:
        return MemorySize(self._bytes(column + "_including_gaps"), self._bytes(column))

    @property
    def total(self) -> MemorySize:
        return self._size("total")

    @property
    def nonInterleaved(self) -> MemorySize:
        return self._size("non_interleaved")

    @property
    def interleaved(self) -> MemorySize:
        return self._size("interleaved")

    @property
    def overflowed(self) -> MemorySize:
        """Past the end of the tile's memory."""
        return self._size("overflowed")

    @property
    def alwaysLiveBytes(self) -> int:
        """Bytes occupied during the whole program."""
        return self._bytes("always_live")

    @property
    def notAlwaysLiveBytes(self) -> int:
        """Bytes that are not always live: the largest sum over the steps."""
        return self._bytes("max_not_always_live")

    @property
    def afterOverlappingBytes(self) -> int:
        """Extension: addresses occupied by overlapped allocations, bytes."""
        return self._bytes("after_overlapping")

    @property
    def lowerBoundOverlappedBytes(self) -> int:
        """Extension: peak of live bytes among the overlapped allocations."""
        return self._bytes("lower_bound_overlapped")

    @property
    def category(self) -> Categories:
        return Categories(self._model, self._tile)

    @property
    def vertices(self) -> "List[VertexOnTile]":
        """One entry per vertex type that the tile has."""
        rows = self._model.verticesOnTile.get(self._model.storedTile(self._tile), [])
        return List(len(rows), lambda i: VertexOnTile(self._model, rows[i]))


class Tile(Handle):
    __slots__ = ("_model", "_tile")
    _shown = ("memory",)

    def __init__(self, model: Model, tile: int) -> None:
        self._model, self._tile = model, tile

    @property
    def memory(self) -> TileMemory:
        return TileMemory(self._model, self._tile)
