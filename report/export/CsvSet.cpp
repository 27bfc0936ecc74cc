#include "report/export/CsvSet.hpp"

#include "report/export/CsvHost.hpp"
#include "report/export/CsvMemory.hpp"
#include "report/export/CsvTime.hpp"

#include <ostream>

namespace popscope {
namespace {

/// Writes a table that does not list executed steps, so that --max-events does not apply.
template <void (*kWrite)(std::ostream &, const pva::Report &, const CsvOptions &)>
TimelineResult whole(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  kWrite(out, report, options);
  return {};
}

} // namespace

// The table of CSV files: name, help, heading and writer.
const std::vector<CsvTable> &csvTables() {
  static const std::vector<CsvTable> tables = {
      {"op_summary.csv",
       "each executed step on each IPU, with its time, balance and data; total_cycles and Task Duration are those of "
       "the working tiles; OP Type, operands, part_cycles, vertices "
       "and live_bytes are those of the step on all IPUs",
       "Device_id,Model Name,Model ID,Task ID,Infer ID,Op Name,OP Type,Task Type,Task Start Time(us),Task "
       "Duration(us),Task Wait Time(us),Block Num,Input Shapes,Input Data Types,Output Shapes,Output Data Types,"
       "total_cycles,start_cycle,part_cycles,tiles,busy_tile_cycles,tile_balance,active_tile_balance,data_balance,"
       "bytes_in,bytes_out,vertices,live_bytes,provenance,measured_cycles,measured_source",
       writeOpSummary},
      {"op_statistic.csv", "executions and time by type: vertex types of compute sets, else the kind of step",
       "Device_id,Model Name,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max "
       "Time(us),Ratio(%),total_cycles",
       whole<writeOpStatistic>},
      {"task_time.csv", "begin and end of each step on each IPU",
       "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)", writeTaskTime},
      {"step_trace.csv",
       "each recorded run as an iteration; FP Start and BP End by the names of --fp-point and --bp-point, empty if no "
       "step has them",
       "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to BP "
       "Time(us),Iteration Refresh(us),Data Aug Bound(us),Model ID,"
       "label,cycles,compute_tile_cycles,exchange_tile_cycles,global_exchange_tile_cycles,host_exchange_tile_cycles,"
       "sync_tile_cycles,unattributed_tile_cycles",
       whole<writeStepTrace>},
      {"communication_statistic.csv", "exchanges by kind: within an IPU, between IPUs, with the host",
       "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max "
       "Time(us),Ratio(%),total_cycles,bytes_in,bytes_out",
       whole<writeCommunication>},
      {"api_statistic.csv", "calls of the host: Engine::run by program, and with --pvti the spans of that file",
       "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance", whole<writeApiStatistic>},
      {"msprof_tx.csv", "runs that lie in a popscope::profile::Scope with a label",
       "pid,tid,category,event_type,message,Start_time(us),End_time(us),run", whole<writeMarks>},
      {"memory_rate.csv",
       "what the vertices of each executed compute set read and write, over all tiles; an element counts once for each "
       "edge that contains it",
       "Infer ID,Task ID,Op Name,Time(us),cycles,bytes_read,bytes_written,bytes_read_per_cycle,bytes_written_per_cycle",
       writeMemoryRate},
      {"memory_record.csv",
       "live bytes at each step of the compiled program, by storage category; loops are not unrolled",
       "Component,Timestamp(step),Total Allocated(KB),Device_id,program,bytes", whole<writeMemoryRecord>},
      {"npu_mem.csv", "live bytes at each step on each IPU, without what is always live",
       "Device_id,step,program,memory(KB),bytes", whole<writeMemoryOfIpus>},
      {"memory_samples.csv", "live bytes in the middle of each run, at every n-th step (popscope.sampleMemory)",
       "Infer ID,position,cycle,Timestamp(us),Task ID,memory(KB),bytes", whole<writeMemorySamples>},
      {"host_cpu_usage.csv", "processors that the process used between samples of the host (popscope.sampleHost)",
       "Device_id,Total Cpu Numbers,Occupied Cpu Numbers,Recommend Cpu Numbers,time(us),user(%),system(%),threads",
       whole<writeHostCpu>},
      {"host_mem_usage.csv", "memory of the process at samples of the host (popscope.sampleHost)",
       "Device_id,Total Memory(KB),Peak Used Memory(KB),Recommend Memory(KB),time(us),resident(KB)",
       whole<writeHostMemory>},
      {"host_disk_usage.csv", "what the process read from and wrote to disks between samples of the host",
       "Device_id,time(us),read(KB/s),written(KB/s),bytes_read,bytes_written", whole<writeHostDisk>},
      {"tool_usage.csv", "what each part of the compile took (popscope.recordCompilePhases)",
       "Phase,parent,Start(us),Time(us),cpu(us),memory_before(KB),memory_after(KB),peak(KB)", whole<writeToolUsage>},
      {"npu_module_mem.csv", "bytes by storage category and tile",
       "Component,Device_id,tile,Total Reserved(KB),bytes,overlapped_bytes", whole<writeMemoryByCategory>},
      {"static_op_mem.csv",
       "variables with the steps at which they live; 4294967295 = to the end; the last row is TOTAL",
       "Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB),bytes,category,always_live",
       whole<writeVariables>},
      {"fusion_op.csv", "what the compiler's passes changed", "Fusion Op,unit,before,after", whole<writePasses>},
  };
  return tables;
}

TimelineResult writeCsv(std::ostream &out, const CsvTable &table, const pva::Report &report,
                        const CsvOptions &options) {
  out << table.heading << "\n";
  return table.rows(out, report, options);
}

void writeCsvReadme(std::ostream &out) {
  out << "Tables of a Popscope profile. A table or column with the same meaning as one of Ascend's msprof has the same "
         "name.\n"
         "CSV with the commas and quotes of RFC 4180, but a line ends with a line feed alone (\\n): UTF-8, a heading "
         "row, '.'\n"
         "for decimals. An empty cell means that the value is unknown or does not exist: a step in which no tile works "
         "(a barrier) has "
         "no\n"
         "total_cycles, but begin, end and part_cycles. Device_id is the IPU, Infer ID and\n"
         "Iteration ID the recorded run (from 0), Task ID the id of the program as popscope tree lists it, Block Num "
         "the active tiles.\n"
         "Times are cycles of the machine's model at its clock. KB are 1,024 bytes.\n\n";
  for (const CsvTable &table : csvTables())
    out << table.file << ": " << table.help << "\n  " << table.heading << "\n";
}

} // namespace popscope
