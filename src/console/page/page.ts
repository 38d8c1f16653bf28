import type { ComponentChildren } from 'preact';
import type { Asked, Json, OperationId } from '../../api';
import type { Scope, Sessions, UserSession } from '../../identity';
import type { BusinessCalendar, Instant } from '../../kernel';
import type { Language, TextKey, Texts } from '../../texts';
import type { Form } from '../web/form';
import type { Problem } from './problem';

/** The menu's groups, in their order. */
export const MENU_GROUPS = ['daily', 'money', 'bank', 'system'] as const;

/** A request for a page by a person who signed in. */
export interface Visit {
  readonly session: UserSession;
  /** The person in this request, which their audit records name. */
  readonly asking: UserSession['actor'] & { readonly requestId: string };
  readonly texts: Texts;
  /** For what people do with their own sessions, password and second factor. */
  readonly sessions: Sessions;
  readonly calendar: BusinessCalendar;
  readonly now: Instant;
  /** The path with its query, to come back to. */
  readonly here: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** What the form sent whose action was refused or showed something; without fields otherwise. */
  readonly form: Form;
  /** Why the action of the form was refused. */
  readonly problem: Problem | undefined;
  /** A new idempotency key for the forms of this page. */
  readonly once: string;
  /** Returns the whole address of a path of the console, to give to another person. */
  addressOf(path: string): string;
  /** Returns whether the person has a scope. */
  can(scope: Scope): boolean;
  /** Performs an operation of the API with the rights of the person, and returns its JSON. @throws as the API answers. */
  call<Id extends OperationId>(id: Id, asked?: Asked<Id>): Promise<Json<Id>>;
}

/** What a page shows. */
export interface Shown {
  readonly title: string;
  readonly body: ComponentChildren;
  /** For a page with wide tables. */
  readonly isWide?: boolean;
}

/** The path to which the browser goes after an action, and what the next page says. */
export interface Done {
  readonly to: string;
  readonly said?: SaidKey;
  /** The session that replaces that of the browser. */
  readonly started?: { readonly token: string; readonly deviceToken?: string };
}

/** A text of the part `said` of a namespace. */
export type SaidKey = Extract<TextKey, `${string}:said.${string}`>;

/** What a form of the page does. */
export interface Action {
  /** The scope of the form, if it differs from that of the page. */
  readonly scope?: Scope;
  /** Whether the password must have been given in the last ten minutes. */
  readonly needsProof?: boolean;
  /** Does it, and returns where to go; or what to show, such as an effect on trial. */
  run(visit: Visit): Promise<Done | Shown>;
}

/** One page of the console. */
export interface Page {
  /** Below `/console`, with parameters as `:name`. */
  readonly path: `/${string}`;
  /** Undefined: every person who signed in. */
  readonly scope: Scope | undefined;
  /** Where the menu has it. */
  readonly menu?: { readonly group: (typeof MENU_GROUPS)[number]; readonly label: TextKey };
  readonly takesFile?: boolean;
  /** What the audit trail names when the page is opened, because it shows a person or their money. */
  readonly recordedAs?: (params: Readonly<Record<string, string>>) => string;
  show(visit: Visit): Promise<Shown>;
  /** By the value of the field `action`. */
  readonly actions?: Readonly<Record<string, Action>>;
}

/** A file that a link downloads. */
export interface Download {
  /** Below `/console`, with parameters as `:name`. */
  readonly path: `/${string}`;
  readonly scope: Scope;
  /** Returns the operation that writes the file, and the name under which a browser stores it. */
  of(
    params: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string>>,
    language: Language,
  ): DownloadOf | undefined;
}

export interface DownloadOf {
  readonly operation: OperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Undefined if the operation names the file. */
  readonly fileName?: string;
}
