import type { ComponentChildren, VNode } from 'preact';
import type { Texts, WordList } from '../../texts';

interface Of {
  readonly texts: Texts;
}

/** An amount in millimes, from left to right in every language. */
export function Money({ texts, of }: Of & { of: number | bigint | string }): VNode {
  return (
    <bdi class={BigInt(of) < 0n ? 'money negative' : 'money'} dir={texts.language === 'ar' ? undefined : 'ltr'}>
      {texts.money(of)}
    </bdi>
  );
}

/** An amount without its unit, for a table whose caption names it. A movement below 0 is nothing unusual there. */
export function Figure({ texts, of }: Of & { of: number | bigint | string }): VNode {
  return (
    <bdi class="money" dir={texts.language === 'ar' ? undefined : 'ltr'}>
      {texts.money(of).replace(/\u00a0[^\d\u00a0]+$/, '')}
    </bdi>
  );
}

/** A day, or a sign where there is none. */
export function Day({ texts, of, style }: Of & { of: string | null | undefined; style?: 'long' | 'day' }): VNode {
  if (of === null || of === undefined) return <None />;
  return (
    <time dateTime={of}>
      <bdi>{texts.date(of, style ?? 'short')}</bdi>
    </time>
  );
}

/** An instant in the business time zone. */
export function Moment({ texts, of }: Of & { of: string | number | null | undefined }): VNode {
  if (of === null || of === undefined) return <None />;
  return (
    <time>
      <bdi>{texts.instant(of)}</bdi>
    </time>
  );
}

/** An id, a reference or another text that a program made. */
export function Id({ children }: { children: ComponentChildren }): VNode {
  return (
    <bdi class="id" dir="ltr">
      {children}
    </bdi>
  );
}

const ITEM_CHARACTERS_MAX = 16;

/** The id of an item in a table: without its source, and with its middle left out if it is long. */
export function ItemId({ of }: { of: string }): VNode {
  const id = of.replace(/^(?:service|payment):/, '');
  const isLong = id.length > ITEM_CHARACTERS_MAX;
  return (
    <bdi class="id" dir="ltr" title={of}>
      {isLong ? `${id.slice(0, 8)}…${id.slice(-6)}` : id}
    </bdi>
  );
}

const RUN = 'run:';

/** Returns who wrote something: a person by name, a process in plain words. */
export function writerText({ word }: Texts, name: string): string {
  if (name.startsWith(RUN)) return word('writer', 'run');
  const ofProcess = word('writer', name);
  return ofProcess === name ? word('job', name) : ofProcess;
}

/** Who wrote something. */
export function Writer({ texts, of }: Of & { of: string }): VNode {
  return <bdi>{writerText(texts, of)}</bdi>;
}

/** A text that a person or a bank wrote: of any direction. */
export function Said({ children }: { children: ComponentChildren }): VNode {
  return <bdi>{children}</bdi>;
}

/** A sentence that a module wrote in English: in the language of the reader, if it has a translation. */
export function Sentence({ texts, children: english }: Of & { children: string }): VNode {
  const text = texts.sentence(english);
  return <bdi lang={text === english ? 'en' : undefined}>{text}</bdi>;
}

export function None(): VNode {
  return <span class="none">{'–'}</span>;
}

/** How a state is to be read. Each has a sign of its own, so that no state is a color alone. */
export type Tone = 'good' | 'wait' | 'warn' | 'bad' | 'plain';
const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', wait: '…', warn: '▲', bad: '✕', plain: '○' };

/** The word of a state, with its sign. */
export function State({ texts, list, code, tone }: Of & { list: WordList; code: string; tone: Tone }): VNode {
  return <Sign tone={tone}>{texts.word(list, code)}</Sign>;
}

/** A word with the sign of its tone. */
export function Sign({ tone, children }: { tone: Tone; children: ComponentChildren }): VNode {
  return (
    <span class={`state ${tone}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[tone]}
      </span>
      {children}
    </span>
  );
}

/** Names and values, one below the other. */
export function Facts({ children }: { children: ComponentChildren }): VNode {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: ComponentChildren; children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
