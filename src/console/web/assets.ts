import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT, sha256Hex } from '../../kernel';

const FILES = {
  'console.css': 'text/css; charset=utf-8',
  'plots.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;
export type AssetName = keyof typeof FILES;

export interface Asset {
  /** With the digest of the content, so that a browser may store it for a year. */
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

const DIGEST_CHARACTERS = 16;
const loaded = new Map<AssetName, Asset>();

/** Returns a file that pages load. It is read once. */
export function assetOf(name: AssetName): Asset {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const content = readFileSync(join(PACKAGE_ROOT, 'assets/console', name));
  const path = `/console/assets/${sha256Hex(content).slice(0, DIGEST_CHARACTERS)}/${name}`;
  const asset = { path, type: FILES[name], content };
  loaded.set(name, asset);
  return asset;
}

export const ASSET_NAMES = Object.keys(FILES) as readonly AssetName[];
