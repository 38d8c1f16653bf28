import type { ComponentChildren, VNode } from 'preact';
import type { Texts } from '../../texts';
import type { Visit } from '../page/page';

interface FormProps {
  readonly visit: Pick<Visit, 'session' | 'here' | 'once'>;
  /** The name of the action of the page. */
  readonly action: string;
  /** Default: this page. */
  readonly path?: string;
  readonly takesFile?: boolean;
  readonly label?: string;
  readonly class?: string;
  /** What the script of the console reads, such as `data-credit`. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  readonly children: ComponentChildren;
}

/** A form that changes something, or asks with words that belong in no address. A second press does nothing more. */
export function ActionForm({ visit, action, path, takesFile, label, data, children, ...more }: FormProps): VNode {
  return (
    <form
      method="post"
      action={path ?? visit.here}
      encType={takesFile === true ? 'multipart/form-data' : undefined}
      aria-label={label}
      class={more.class}
      data-once
      {...data}
    >
      <input type="hidden" name="csrf" value={visit.session.csrfToken} />
      <input type="hidden" name="once" value={visit.once} />
      <input type="hidden" name="action" value={action} />
      {children}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly type?: 'text' | 'search' | 'password' | 'date' | 'number' | 'file';
  readonly inputMode?: 'search' | 'numeric' | 'decimal' | 'text';
  readonly autoComplete?: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly isFocused?: boolean;
  /** Why the value was refused. */
  readonly fault?: string | undefined;
  /** For names, ids and phones, which no dictionary knows. */
  readonly isPlain?: boolean;
  readonly accept?: string;
  readonly rows?: number;
  /** The form of the field, where several forms of a page have a field of this name. */
  readonly within?: string;
}

/** A field with its label above it, its hint before it, and its fault beside it. */
export function Field(props: FieldProps): VNode {
  const { name, label, hint, fault, within } = props;
  // The faulty one has the id to which the summary of faults links.
  const id = within === undefined || fault !== undefined ? `field-${name}` : `field-${within}-${name}`;
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].join(' ').trim();
  return (
    <p class={fault === undefined ? 'field' : 'field faulty'}>
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      )}
      <Input {...props} id={id} described={described === '' ? undefined : described} />
      {fault === undefined ? null : (
        <span id={`${id}-fault`} class="fault">
          {fault}
        </span>
      )}
    </p>
  );
}

function Input(props: FieldProps & { id: string; described: string | undefined }): VNode {
  const { id, name, described, fault, isPlain, isRequired, rows, value } = props;
  const shared = {
    ...{ id, name, required: isRequired, maxLength: props.maxLength, autofocus: props.isFocused },
    ...{ 'aria-describedby': described, 'aria-invalid': fault === undefined ? undefined : ('true' as const) },
    dir: 'auto' as const,
  };
  if (rows !== undefined) {
    return (
      <textarea {...shared} rows={rows}>
        {value}
      </textarea>
    );
  }
  return (
    <input
      {...shared}
      type={props.type ?? 'text'}
      value={value}
      inputMode={props.inputMode}
      autocomplete={props.autoComplete ?? 'off'}
      autocapitalize={isPlain === true ? 'none' : undefined}
      spellcheck={isPlain === true ? false : undefined}
      accept={props.accept}
    />
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  /** Values and their labels. */
  readonly options: readonly (readonly [string, string])[];
  readonly fault?: string | undefined;
}

/** A choice of one value of a list. */
export function Choice({ name, label, value, options, fault }: ChoiceProps): VNode {
  const id = `field-${name}`;
  return (
    <p class={fault === undefined ? 'field' : 'field faulty'}>
      <label for={id}>{label}</label>
      <select id={id} name={name} aria-invalid={fault === undefined ? undefined : 'true'}>
        {options.map(([each, text]) => (
          <option value={each} selected={each === (value ?? '')}>
            {text}
          </option>
        ))}
      </select>
      {fault === undefined ? null : <span class="fault">{fault}</span>}
    </p>
  );
}

/** A form that reads: its fields are in the address, so that the page can be kept and sent. */
export function FilterForm({
  texts,
  path,
  children,
}: {
  texts: Texts;
  path: string;
  children: ComponentChildren;
}): VNode {
  return (
    <form method="get" action={path} class="filter" role="search">
      {children}
      <button>{texts.t('common:action.filter')}</button>
      <a class="quiet" href={path}>
        {texts.t('common:action.clearFilter')}
      </a>
    </form>
  );
}
