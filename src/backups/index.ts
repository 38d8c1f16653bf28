export { createBackup } from './create-backup';
export { findUnstoredConfirms, type LogFindings } from './find-unstored-confirms';
export type { Manifest } from './manifest';
export { restoreBackup } from './restore-backup';
export { dumpScript, restoreScript, type ServerDatabase } from './server-commands';
