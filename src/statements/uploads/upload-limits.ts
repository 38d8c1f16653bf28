import { AppError } from '../../kernel';
import type { UploadRow } from './upload-store';

const MIB = 1024 * 1024;

/** How many uploads may be kept, and how many bytes of them together. */
export interface UploadLimit {
  readonly files: number;
  readonly bytes: number;
}

export interface UploadLimits {
  readonly perActor: UploadLimit;
  readonly total: UploadLimit;
}

const NONE: UploadLimit = { files: 0, bytes: 0 };

export const NO_UPLOADS: UploadLimits = { perActor: NONE, total: NONE };

type Counted = Pick<UploadRow, 'createdBy' | 'sizeBytes'>;

/**
 * Requires that one more upload fits beside those that are kept.
 *
 * @throws AppError `upload_quota`, with the ids of the uploads that the actor may remove.
 */
export function requireQuota({ perActor, total }: UploadLimits, kept: readonly UploadRow[], added: Counted): void {
  const own = kept.filter(({ createdBy }) => createdBy === added.createdBy);
  const refuse = (of: string, { files, bytes }: UploadLimit): never => {
    const uploadIds = own.filter(({ sha256 }) => sha256 !== undefined).map(({ id }) => id);
    throw new AppError('upload_quota', { of, filesMax: files, mebibytesMax: bytes / MIB, uploadIds });
  };
  if (!fits(perActor, [...own, added])) refuse(added.createdBy, perActor);
  if (!fits(total, [...kept, added])) refuse('all actors', total);
}

function fits({ files, bytes }: UploadLimit, uploads: readonly Counted[]): boolean {
  return uploads.length <= files && uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= bytes;
}
