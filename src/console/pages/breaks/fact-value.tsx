import type { ComponentChildren } from 'preact';
import { factWord, kindOf, type Texts } from '../../../texts';
import { Day, Id, Moment, Money, Said } from '../../parts/values';

type Facts = Readonly<Record<string, string | number | null>>;

/** Returns the label of a fact. Modules name facts; one without a label stays as it is. */
export function factLabel(texts: Texts, name: string): string {
  return texts.find(`breaks:fact.${name}`) ?? name;
}

/** Returns the value of a fact as people read it: money, a day, the word of a code, a text without quotes. */
export function factValue(texts: Texts, name: string, facts: Facts): ComponentChildren {
  const text = unquoted(String(facts[name] ?? ''));
  const kind = kindOf(name === 'ours' || name === 'theirs' ? String(facts['field']) : name, text);
  // The sign of the amount of a break depends on its finder.
  if (kind === 'amount') return <Money texts={texts} of={name.startsWith('amount') ? text.replace('-', '') : text} />;
  const word = factWord(texts, name, text);
  if (word !== undefined) return word;
  if (kind === 'day') return <Day texts={texts} of={text} />;
  if (kind === 'instant') return <Moment texts={texts} of={text} />;
  return /^[\w:./-]+$/.test(text) && text.length > 3 ? <Id>{text}</Id> : <Said>{text}</Said>;
}

/** A call that was refused is stored as its JSON. */
function unquoted(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
