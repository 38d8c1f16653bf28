/** The needed parts of an element and its children. Elements that are in no table are skipped. */
export interface XmlElement<Target> {
  readonly children: ReadonlyMap<string, XmlElement<Target>>;
  readonly open?: ((target: Target, line: number) => void) | undefined;
  /** Receives the text of the element without the spaces around it. */
  readonly text?: ((target: Target, found: XmlText) => void) | undefined;
  readonly close?: ((target: Target) => void) | undefined;
  /** Receives the element as written in the file, before `close`. */
  readonly raw?: ((target: Target, raw: RawXml) => void) | undefined;
}

export interface XmlText {
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The line of the file on which the element starts; the first is 1. */
  readonly line: number;
}

export interface RawXml {
  readonly text: string;
  /** Whether the text exceeded the limit, so that `text` is only its beginning. */
  readonly cut: boolean;
}

type ElementTable<Target> = Readonly<Record<string, XmlElement<Target>>>;
type Handlers<Target> = Omit<XmlElement<Target>, 'children'>;

/** Returns an element with children. */
export function group<Target>(children: ElementTable<Target>, handlers: Handlers<Target> = {}): XmlElement<Target> {
  return { children: new Map(Object.entries(children)), ...handlers };
}

/** Returns an element that contains only text. */
export function leaf<Target>(text: (target: Target, found: XmlText) => void): XmlElement<Target> {
  return { children: new Map(), text };
}
