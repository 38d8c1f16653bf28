/** What is wanted of an element and of those inside it. An element that is in no table is passed over. */
export interface XmlElement<Target> {
  readonly children: ReadonlyMap<string, XmlElement<Target>>;
  readonly open?: ((target: Target, line: number) => void) | undefined;
  /** Takes the text of the element without the spaces around it. */
  readonly text?: ((target: Target, found: XmlText) => void) | undefined;
  readonly close?: ((target: Target) => void) | undefined;
  /** Takes the element as the file has it, before `close`. */
  readonly raw?: ((target: Target, raw: RawXml) => void) | undefined;
}

export interface XmlText {
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of the file, where the element starts; the first is 1. */
  readonly line: number;
}

export interface RawXml {
  readonly text: string;
  /** It was longer than may be kept, and `text` is only its beginning. */
  readonly cut: boolean;
}

type ElementTable<Target> = Readonly<Record<string, XmlElement<Target>>>;
type Handlers<Target> = Omit<XmlElement<Target>, 'children'>;

/** An element with others inside. */
export function group<Target>(children: ElementTable<Target>, handlers: Handlers<Target> = {}): XmlElement<Target> {
  return { children: new Map(Object.entries(children)), ...handlers };
}

/** An element that holds text and nothing else. */
export function leaf<Target>(text: (target: Target, found: XmlText) => void): XmlElement<Target> {
  return { children: new Map(), text };
}
