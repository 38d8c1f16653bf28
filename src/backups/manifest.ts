import { z } from 'zod';
import { parseStrictJson } from '../kernel';

export const MANIFEST_NAME = 'manifest.json';
export const DATABASE_NAME = 'millime.sqlite3';
export const KEYS_NAME = 'service-jwt-keys.sealed.json';

const FORMAT = 'millime-backup';
const VERSION = 1;

const packed = {
  name: z.string(),
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
};

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  millimeVersion: z.string(),
  /** By the clock of the machine. */
  createdAt: z.string(),
  /** By the business clock. */
  businessInstant: z.string(),
  database: z.object({ ...packed, lastMigration: z.string() }).nullable(),
  keys: z.object(packed).nullable(),
});

/** What a backup contains. It is its first file, so that `tar -xOf <backup> manifest.json` prints it. */
export type Manifest = z.output<typeof manifestSchema>;
export type PackedFile = NonNullable<Manifest['keys']>;

export function manifestText(manifest: Omit<Manifest, 'format' | 'version'>): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...manifest }, null, 2)}\n`;
}

/** Reads a manifest; undefined when the text is none of a known version. */
export function decodeManifest(text: string): Manifest | undefined {
  const json = parseStrictJson(text, { depthMax: 3 });
  const manifest = manifestSchema.safeParse(json.ok ? json.value : undefined);
  return manifest.success ? manifest.data : undefined;
}
