import type { ComponentChildren } from 'preact';
import { factWord, type Texts } from '../../../texts';
import { Day, Id, Money, Said } from '../../parts/values';

type Facts = Readonly<Record<string, string | number | null>>;

/** Returns the label of a fact. Modules name facts; one without a label stays as it is. */
export function factLabel(texts: Texts, name: string): string {
  return texts.find(`breaks:fact.${name}`) ?? name;
}

/** Returns the value of a fact as people read it: money, a day, the word of a code, a text without quotes. */
export function factValue(texts: Texts, name: string, facts: Facts): ComponentChildren {
  const text = unquoted(String(facts[name] ?? ''));
  if (isMoney(name, facts) && /^-?\d+$/.test(text)) {
    // The sign of the amount of a break depends on its finder.
    return <Money texts={texts} of={name.startsWith('amount') ? text.replace('-', '') : text} />;
  }
  const word = factWord(texts, name, text);
  if (word !== undefined) return word;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return <Day texts={texts} of={text} />;
  return /^[\w:./-]+$/.test(text) && text.length > 3 ? <Id>{text}</Id> : <Said>{text}</Said>;
}

function isMoney(name: string, { field }: Facts): boolean {
  if (name === 'ours' || name === 'theirs') return field === 'amount';
  return name === 'amount' || name.endsWith('Millimes');
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
