/** A proxy needs a few connections. Beyond this number, a connection without a valid token is closed. */
const CONNECTIONS_MAX = 4_096;
/** The database, its files, the log, the jobs and calls to the gateway need less than this. */
const OTHER_FILES = 128;

export interface ConnectionLimit {
  readonly connectionsMax: number;
  /** Set if the limit on open files allows fewer connections than Millime would accept: what to do. */
  readonly warning: string | undefined;
}

/**
 * Returns how many connections this process can hold. Each one is an open file: at the system's limit the kernel would
 * accept no connection, not even the gateway's, and would report nothing.
 */
export function connectionLimit(openFilesMax = readOpenFilesMax()): ConnectionLimit {
  const wanted = CONNECTIONS_MAX + OTHER_FILES;
  if (openFilesMax >= wanted) return { connectionsMax: CONNECTIONS_MAX, warning: undefined };
  const connectionsMax = openFilesMax - Math.min(OTHER_FILES, Math.floor(openFilesMax / 2));
  const warning =
    `open files: expected a limit of at least ${wanted}, got ${openFilesMax}, which allows ${connectionsMax} ` +
    'connections; raise it with "ulimit -n" or LimitNOFILE';
  return { connectionsMax, warning };
}

/** Returns the limit on open files; Infinity if the system has none or does not report it. */
function readOpenFilesMax(): number {
  // Looking up the names of connected addresses could take seconds. Node's types lack this property.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
