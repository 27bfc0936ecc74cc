"""Every class of the package, under the name that scripts know them by."""

from pva import _advice, _debug, _execution, _liveness, _measured, _memory, _programs, _report, _trace
from pva._advice import AdviceTrial, FalseLive, LiveExplanation, LivenessAdvice, UndefPlacement, VariableAccess
from pva._debug import DebugContext, DebugLocation, Operation
from pva._execution import (Block, ComputeSet, ControlFlow, CycleLimits, CycleRange, CycleSource, CycleTotals, DealtRun, DealtVertices,
                            ExecutionComputeSet, ExecutionReport, ExecutionStep, ExecutionStepIpu, Flops, MemorySample, Microseconds,
                            PausedSpan, ProgramExecutions, Run, VertexInstances, VertexOperand, VertexTypeCycles, VertexTypeFlops, WorkerSlots)
from pva._file import ProfileError
from pva._liveness import (BriefVar, EquivalenceClass, LivenessMemory, LivenessProgramStep, LoweredVariable,
                           LoweredVariables, StepInterval, Variable)
from pva._measured import MeasuredCycles, measuredCycles, openMeasured
from pva._memory import (Categories, Category, CategoryRegion, MemorySize, Tile, TileMemory, VertexOnTile, VertexType,
                         storageCategoryNames)
from pva._programs import (ExchangeProgram, LinkTransfer, OnTileExecuteProgram, Program, ProgramVisitor, RepeatProgram,
                           TileTraffic)
from pva._report import (IPU, CompilationReport, CompilePhase, ComputeInstrumentationLevel, ExternalExchangeInstrumentationLevel,
                         Graph, IncompleteProfileWarning, InstrumentationSettings, MachineCost, MessageSizes, OperationAnalysis, Optimization, Option, PoplarVersion,
                         PopscopeData, ProfileReportVersion, Report, SettingWarning, SyncDelay, Target, openReport)
from pva._trace import Event, Process, Thread, Trace, openTrace

globals().update(_programs.CLASSES)


def _adopt() -> None:
    """Types print as pva.pva_core.Program, whatever file they are written in."""
    own = tuple(m.__name__ for m in (_advice, _debug, _execution, _liveness, _measured, _memory, _programs, _report, _trace)) + ("pva._file",)
    for value in list(globals().values()):
        if getattr(value, "__module__", None) in own:
            value.__module__ = __name__


_adopt()
__all__ = sorted(name for name, value in globals().items() if getattr(value, "__module__", None) == __name__ and
                 not name.startswith("_"))
