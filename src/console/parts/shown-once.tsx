import type { ComponentChildren, VNode } from 'preact';

/** A secret that is shown once, with what to do with it. */
export function ShownOnce({
  warning,
  secret,
  children,
}: {
  warning: string;
  secret: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class="note" role="status">
      <p>
        <strong>{warning}</strong>
      </p>
      <p class="secret">
        <bdi dir="ltr">{secret}</bdi>
      </p>
      {children}
    </div>
  );
}
