import type { ComponentChildren, VNode } from 'preact';
import type { Texts } from '../../texts';

/** A link if the person may open its page, the text alone otherwise. */
export function LinkIf({ may, href, children }: { may: boolean; href: string; children: ComponentChildren }): VNode {
  return may ? <a href={href}>{children}</a> : <>{children}</>;
}

/** A link beside a form, which opens apart, so that what was chosen in the form stays. */
export function ApartLink({
  texts,
  href,
  children,
}: {
  texts: Texts;
  href: string;
  children: ComponentChildren;
}): VNode {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
      <span aria-hidden="true"> ↗</span>
      <span class="unseen"> {texts.t('common:opensApart')}</span>
    </a>
  );
}

/** A link to another site, which gets no address of ours. Only https; another address is text. */
export function OutsideLink({ href }: { href: string }): VNode {
  const text = (
    <bdi class="id" dir="ltr">
      {href}
    </bdi>
  );
  if (!href.startsWith('https://')) return text;
  return (
    <a href={href} rel="noreferrer noopener">
      {text}
    </a>
  );
}
