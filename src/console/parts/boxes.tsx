import type { VNode } from 'preact';

interface Box {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

interface BoxesProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Box[];
  readonly chosen: readonly string[];
  readonly fault?: string | undefined;
}

/** A choice of several values, each with a box. */
export function Boxes({ name, label, options, chosen, fault }: BoxesProps): VNode {
  return (
    <fieldset id={`field-${name}`} class={fault === undefined ? 'boxes' : 'boxes faulty'}>
      <legend>{label}</legend>
      {fault === undefined ? null : <p class="fault">{fault}</p>}
      <div>
        {options.map(({ value, label: text, hint }) => (
          <label>
            <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
            <span>
              {text}
              {hint === undefined ? null : <small>{hint}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
