import type { ComponentChildren, VNode } from 'preact';

/** A link if the person may open its page, the text alone otherwise. */
export function LinkIf({ may, href, children }: { may: boolean; href: string; children: ComponentChildren }): VNode {
  return may ? <a href={href}>{children}</a> : <>{children}</>;
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
