// Tables of a profile (docs/FORMAT-pop.md). Made by: popscope schema --typescript

export const kFormat = 1;

/** The columns of each table that every profile has. */
export const kTables = {
  meta: 'key value',
  target: 'type architecture num_ipus tiles_per_ipu num_replicas bytes_per_tile clock_hz worker_contexts interleaved_offset machine',
  graph: 'num_vertices num_edges num_variables num_compute_sets',
  options: 'id scope key value is_default',
  warnings: 'id about text',
  optimisations: 'id name unit before after',
  programs:
    'id type name parent is_function compute_set count liveness_point control_code_every_tile exchange_code_of debug_context barriers counter_cycles control_code exchange_code bytes_sent bytes_received estimated_cycles messages_received receive_latency receive_transfer receive_controls counter_stores receive_distance message_sizes',
  message_sizes: 'id buses bytes messages',
  link_transfers: 'program position from_ipu to_ipu size_bytes tiles',
  traffic: 'program tiles_per_group from_groups to_groups size_bytes',
  more_contexts: 'program position debug_context',
  sync_delays: 'kind across_ipus to_controller from_controller',
  machine_costs: 'key value unit',
  control_programs: 'id program',
  compute_sets: 'id name estimated_cycles',
  compute_set_vertices: 'compute_set position vertex_type instances count_by_tile flop_vertices flops estimated_vertices estimated_cycles',
  compute_set_operands:
    'compute_set position vertex_type field element_type is_read is_written edges elements least_elements most_elements size_bytes',
  vertex_types: 'id name state_bytes instances memory_bytes cycle_provenance',
  vertex_fields: 'vertex_type position name kind offset size_bytes bytes_per_element outside',
  vertices_by_tile: 'tile vertex_type instances code_bytes internal_state edge_pointers copy_pointers padding descriptors',
  memory_by_tile:
    'tile total total_including_gaps non_interleaved interleaved overflowed non_interleaved_including_gaps interleaved_including_gaps overflowed_including_gaps after_overlapping lower_bound_overlapped always_live max_not_always_live',
  memory_by_tile_category: 'tile category region overlapped size_bytes',
  memory_by_tile_use: 'tile category size_bytes',
  tiles_out_of_memory: 'id tile',
  var_categories: 'id name',
  vars_string_table: 'id string',
  packed_rows: 'table_name first count raw_size low high columns',
  equivalence_classes: 'id num_intervals',
  equivalence_class_intervals: 'class position first_program end_program',
  liveness_steps: 'id program size_bytes',
  liveness_steps_by_ipu: 'step ipu size_bytes',
  liveness_totals: 'always_live max_live',
  liveness_explanations: 'id variable first_program end_program born read failed_kill missed_elements missed carrier carried_by',
  false_live: 'id variable first_program end_program size_bytes worst_tile_bytes',
  undef_placements: 'id variable before saved_on_worst_tile saved_on_device together',
  liveness_advice: 'worst_tile worst_program worst_peak false_live_at_peak worst_peak_after_all candidates tried',
  runs: 'id name program first_step start_us end_us complete number label',
  paused_spans: 'first_run runs reason cycles',
  blocks: 'tile position program kind from_cycles to_cycles run_number',
  steps: 'id run type program compute_set thread_cycles slot_cycles',
  slot_cycles: 'id first part cycles',
  dealt_vertices: 'first pattern runs cycles vertices',
  steps_by_tile: 'step_id cycles',
  steps_by_ipu:
    'step_id ipu cycles active_tiles busy_cycles cycles_base all_cycles_from_min all_cycles_from_max all_cycles_to_min all_cycles_to_max active_cycles_from_min active_cycles_from_max active_cycles_to_min active_cycles_to_max data_in data_out max_tile_data',
  step_vertex_types: 'step_id position vertex_type instances cycles',
  run_vertex_types: 'run vertex_type instances cycles',
  execution_cycle_totals:
    'run total_cycles compute thread_cycles exchange global_exchange host_exchange shared_structure_copy sync unattributed counter_reads control_flow_reads',
  simulator_step_statistics: 'run program executions min_cycles max_cycles sum_cycles',
  simulator_executions: 'run program first executions start_base starts cycles',
  control_flow: 'run program cycles taken',
  vertex_cycle_sources: 'compute_set vertex_type source vertices reason flop_vertices flops',
};

/** The columns, except `id`, of each table that is kept in packed_rows: ? may be NULL, * holds BLOBs. */
export const kPackedColumns = {
  vars_info: 'name variable? tile offset size_bytes alignment category always_live overlapped is_constant equivalence_class?',
  liveness_variables: 'name size_bytes always_live equivalence_class? category bytes_by_tile?*',
  liveness_parts: 'variable equivalence_class size_bytes bytes_by_tile?*',
  variable_accesses: 'variable program elements read written undefined',
};

/** The column by which the blocks of each of these tables are found; '' = by id alone. */
export const kPackedBy = {
  vars_info: 'tile',
  liveness_variables: '',
  liveness_parts: 'variable',
  variable_accesses: 'variable',
};
