/** When the trace has more lines than this, it drops the oldest ones. */
export const TRACE_LINES_MAX = 200_000;
export const TRACE_LINES_DROPPED = 50_000;

/** No request of the interface is larger. */
export const REQUEST_BYTES_MAX = 256 * 1024;
