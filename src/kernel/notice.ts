/** A sentence for every reader, and what to do on the command line. Only the command line prints `command`. */
export interface Notice {
  readonly text: string;
  /** Commands, options and variables that a person types. */
  readonly command?: string | undefined;
}

/** How the notices of one code are made from its parameters. */
export interface NoticeType<Params> {
  readonly text: (params: Params) => string;
  readonly command?: ((params: Params) => string | undefined) | undefined;
}

/** A notice of a closed list, for programs: its code and its parameters. */
export interface CodedNotice extends Notice {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns a notice from the parameters of its type. */
export function noticeOf<Params>({ text, command }: NoticeType<Params>, params: Params): Notice {
  return { text: text(params), command: command?.(params) };
}

/** Returns a notice as the command line prints it. */
export function noticeLine({ text, command }: Notice): string {
  return command === undefined ? text : `${text}; ${command}`;
}
