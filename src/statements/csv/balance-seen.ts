import { quoted } from '../problems';
import { BALANCE_ROW_LABELS, KNOWN_LABELS } from './known-labels';

const CLOSING = new RegExp(KNOWN_LABELS.closing, 'iu');
const PATTERNS = BALANCE_ROW_LABELS.map((source) => new RegExp(source, 'iu'));

/**
 * Why a row with this text cannot be taken for a movement, and what to say in the profile: a balance that was booked as
 * money would be right by every running balance after it. Undefined for any other text.
 */
export function balanceSeen(text: string): string | undefined {
  const label = knownBalance(text);
  if (label === undefined) return undefined;
  const name = CLOSING.test(text) ? 'closing' : 'opening';
  const source = JSON.stringify(`^${label.toLowerCase().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`);
  return (
    `${quoted(text)} states a balance and is no movement: ` +
    `name its label in a profile, as ${name}: { "label": ${source} }, or in otherRows`
  );
}

/** The part of the text that says that it is a balance. */
export function knownBalance(text: string): string | undefined {
  for (const pattern of PATTERNS) {
    const [label] = pattern.exec(text.trim()) ?? [];
    if (label !== undefined) return label;
  }
  return undefined;
}
