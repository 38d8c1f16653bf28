export { type FileLock, acquireLock } from './file-lock';
export { createForeignKeys } from './foreign-keys';
export { readKeyFile } from './key-file';
export { createKeyRing } from './key-ring';
export type { KeySet, KeySource, ServiceKey } from './key-set';
export { KnownSignatures } from './known-signatures';
export { replaceKeyFile } from './replace-key-file';
export { verifyToken } from './verify-token';
