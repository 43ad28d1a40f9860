/**
 * Frames of the stack traces in the sandbox. Temporal's SDK takes one for each promise of a run, for the query
 * `__stack_trace`, and looks up each frame in the source map: at the usual ten a quarter of a run's time in the sandbox.
 * Two are those of the SDK itself, so that nothing is looked up. An error keeps the place where it was thrown, and its
 * caller. Where a run waits is in its details and in the summaries of its activities.
 */
Error.stackTraceLimit = 2
