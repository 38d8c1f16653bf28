import type { VNode } from 'preact';
import type { Texts } from '../../texts';
import type { Problem } from '../page/problem';
import { Document, LanguageLinks } from '../parts/layout';
import { ProblemBox } from '../parts/problem-box';
import type { KeptForm } from '../web/kept-form';
import { withQuery } from '../web/own-path';

/** What the pages before the sign-in show beside their fields. */
export interface GateState {
  readonly fault?: string | undefined;
  readonly notice?: string | undefined;
  readonly problem?: Problem | undefined;
  readonly typed?: { readonly name: string };
  readonly needsCode?: boolean;
  /** A form that a person sent after their session ended. */
  readonly kept?: KeptForm | undefined;
}

/** Fields that a person does not see. */
export function Hidden({ fields }: { fields: Readonly<Record<string, string>> }): VNode {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

interface GateProps {
  readonly texts: Texts;
  readonly title: string;
  readonly state: GateState;
  readonly path: string;
  readonly children: VNode | readonly VNode[];
}

/** A page before the sign-in. */
export function Gate({ texts, title, state, path, children }: GateProps): VNode {
  return (
    <Document texts={texts} title={title} isSignedIn={false}>
      <main id="content" class="card">
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          {texts.t('common:product')}
        </p>
        <h1>{title}</h1>
        {state.notice === undefined ? null : (
          <p class="said" role="status">
            {state.notice}
          </p>
        )}
        {state.fault === undefined ? null : (
          <p class="problem" role="alert">
            {state.fault}
          </p>
        )}
        <ProblemBox texts={texts} problem={state.problem} />
        {children}
        <LanguageLinks texts={texts} hrefOf={(language) => addLanguage(path, language)} />
      </main>
    </Document>
  );
}

function addLanguage(path: string, lang: string): string {
  const [base = '', query = ''] = path.split('?');
  return withQuery(base, { ...Object.fromEntries(new URLSearchParams(query)), lang });
}
