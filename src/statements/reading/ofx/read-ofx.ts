import { quoted } from '../../../kernel';
import { WHOLE_FILE_BYTES_MAX } from '../limits';
import type { StatementEvent, StatementReader } from '../parsed-statement';
import { refusal, tooLarge } from '../refusal';
import { decodeOfx } from './decode-ofx';
import { OfxStatements } from './ofx-statements';
import { readOfxTags } from './ofx-tags';
import { OfxTree } from './ofx-tree';

/** The headers of version 1; those of version 2 are a processing instruction. Some banks write none, or only a part. */
const HEADER = /^[\w-]+\s*[:=]/;
const HEADER_VERSION = /OFXHEADER\s*[:=]\s*(\d*)/i;
const HEADER_VERSIONS: ReadonlySet<string> = new Set(['100', '200']);

/** Reads OFX of version 1 (SGML) and 2 (XML) as a whole, because its first part may depend on its last. */
export function createOfxReader(): StatementReader {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    push(bytes) {
      length += bytes.length;
      if (length > WHOLE_FILE_BYTES_MAX) throw tooLarge('OFX');
      pieces.push(Buffer.from(bytes));
      return [];
    },
    end: () => readOfx(Buffer.concat(pieces)),
  };
}

function readOfx(bytes: Buffer): readonly StatementEvent[] {
  const text = decodeOfx(bytes);
  const statements = new OfxStatements(text);
  const tree = new OfxTree(statements);
  checkHeader(readOfxTags(text, (tag) => tree.add(tag)));
  tree.end();
  return statements.events();
}

function checkHeader(header: string): void {
  if (header === '') return;
  if (!HEADER.test(header)) throw refusal(`line 1: expected OFXHEADER or <OFX>, got ${quoted(header)}`);
  const [, version] = HEADER_VERSION.exec(header) ?? [];
  if (version === undefined || HEADER_VERSIONS.has(version)) return;
  throw refusal(`expected OFXHEADER 100 or 200, got ${quoted(version)}`);
}
