import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../../src/kernel';

// Lists that no schema states: they are read from the sources, so that a new code is found without anyone naming it.

/** Returns the quoted words of a file between two marks; `\0` as the end means that of the file. */
export function quotedIn(path: string, from: string, to: string, word = /'([^']+)'/g): string[] {
  const source = readFileSync(join(PACKAGE_ROOT, path), 'utf8');
  const begin = source.indexOf(from);
  if (begin < 0) throw new Error(`${path} has no "${from}"`);
  const end = source.indexOf(to, begin + from.length);
  const part = source.slice(begin + from.length, end < 0 ? undefined : end);
  return [...new Set([...part.matchAll(word)].map(([, found = '']) => found))];
}

/** The variable words of actions that templates build. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'payment.${kind}_requested': ['payment.capture_requested', 'payment.cancel_requested', 'payment.refund_requested'],
  'proposal.${outcome}': ['proposal.rejected', 'proposal.withdrawn', 'proposal.lapsed'],
  '${table}.planned': ['payments.planned', 'subscriptions.planned'],
};

const CODE = /'([a-z]{2,}\.[a-z_]+)'/g;
const TEMPLATE = /`([^`]*\$\{[^`]*)`/g;

/** Returns the actions of the audit trail: the codes on the lines of the sources that concern an action. */
export function auditActions(): string[] {
  const actions = new Set<string>();
  for (const line of sourceLines()) {
    if (!/\baction\b|withLockedBreak\(|LOOKED_UP =/.test(line)) continue;
    for (const [, code = ''] of line.replaceAll(/event: .*/g, '').matchAll(CODE)) actions.add(code);
    for (const [, template = ''] of line.matchAll(/action: (`[^`]+`)/g)) {
      for (const [, text = ''] of template.matchAll(TEMPLATE)) {
        expandedTemplate(text).forEach((code) => actions.add(code));
      }
    }
  }
  return [...actions];
}

function expandedTemplate(text: string): readonly string[] {
  const codes = TEMPLATES[text];
  if (codes === undefined) throw new Error(`name the actions that "${text}" stands for`);
  return codes;
}

function sourceLines(): string[] {
  const folder = join(PACKAGE_ROOT, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/^(simulator|demo|cli|texts)\//.test(path))
    .flatMap((path) => readFileSync(join(folder, path), 'utf8').split('\n'));
}
