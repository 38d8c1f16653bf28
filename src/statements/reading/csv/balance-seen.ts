import { quoted } from '../../../kernel';
import { BALANCE_ROW_LABELS, KNOWN_LABELS } from './known-labels';

const CLOSING = new RegExp(KNOWN_LABELS.closing, 'iu');
/** Blanks that fill a column, or that are not the one of the keyboard. */
const WIDE_BLANKS = /\s\s|[^\S ]/u;
const PATTERNS = BALANCE_ROW_LABELS.map((source) => new RegExp(source, 'iu'));

/**
 * Why a row with this text cannot be taken for a movement, and what to say in the profile: a balance that was booked as
 * money would be right by every running balance after it. Undefined for any other text.
 */
export function balanceSeen(text: string): string | undefined {
  const label = knownBalance(text);
  if (label === undefined) return undefined;
  const name = CLOSING.test(label) ? 'closing' : 'opening';
  const escaped = label.toLowerCase().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const source = JSON.stringify(`^${WIDE_BLANKS.test(text) ? escaped.replaceAll(' ', String.raw`\s+`) : escaped}`);
  return (
    `${quoted(text)} states a balance and is no movement: ` +
    `name its label in a profile, as ${name}: { "label": ${source} }, or in otherRows`
  );
}

/** The part of the text that says that it is a balance. */
export function knownBalance(text: string): string | undefined {
  const plain = text.replace(/\s+/gu, ' ').trim();
  for (const pattern of PATTERNS) {
    const [label] = pattern.exec(plain) ?? [];
    if (label !== undefined) return label;
  }
  return undefined;
}
