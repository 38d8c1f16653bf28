import type { Texts } from '../../texts';
import type { Problem } from './problem';

/** Returns a problem with its faults in the words of the reader; a fault without a translation stays English. */
export function inWords(texts: Texts, problem: Problem): Problem {
  const { field, fault, expected } = problem.params;
  const own = ownFault(texts, { fault, expected });
  const errors = problem.errors.map((each) => ({
    ...each,
    detail: own !== undefined && each.pointer === `/${String(field)}` ? own : texts.sentence(each.detail),
  }));
  return { ...problem, errors };
}

function ownFault(
  { language, sentence, t }: Texts,
  { fault, expected }: { readonly fault: unknown; readonly expected: unknown },
): string | undefined {
  if (language === 'en') return undefined;
  if (typeof fault === 'string') return sentence(fault);
  return typeof expected === 'string' ? t('common:form.expected', { wanted: sentence(expected) }) : undefined;
}
