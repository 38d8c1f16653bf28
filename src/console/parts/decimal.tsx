import type { VNode } from 'preact';
import { formatMoney } from '../../kernel';
import type { Texts } from '../../texts';
import { Money, None } from './values';

interface DecimalProps {
  readonly texts: Texts;
  /** Decimal text with a point, as statements have it. */
  readonly of: string | null | undefined;
  readonly currency: string | null;
}

/** An amount of a bank statement, in its currency. */
export function Decimal({ texts, of, currency }: DecimalProps): VNode {
  if (of === null || of === undefined) return <None />;
  const millimes = currency === 'TND' ? millimesOf(of) : undefined;
  if (millimes !== undefined) return <Money texts={texts} of={millimes} />;
  const [whole = '', decimals = ''] = of.split('.');
  const form = { decimals: decimals.length, currency: currency ?? undefined };
  return (
    <bdi class={of.startsWith('-') ? 'money negative' : 'money'} dir="ltr">
      {formatMoney(BigInt(whole + decimals), form).replaceAll(' ', '\u00a0')}
    </bdi>
  );
}

const MILLIME_DIGITS = 3;

function millimesOf(text: string): string | undefined {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  return whole === '' ? undefined : `${sign}${whole}${decimals.padEnd(MILLIME_DIGITS, '0')}`;
}
