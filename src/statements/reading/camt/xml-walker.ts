import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { quoted } from '../../../kernel';
import { DEPTH_MAX, RAW_CHARACTERS_MAX, TEXT_CHARACTERS_MAX } from '../limits';
import { refusalAt } from '../refusal';
import { RawWindow } from './raw-window';
import type { XmlElement } from './xml-element';

export interface RootElement {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string | undefined;
  readonly line: number;
}

export interface WalkOptions<Target> {
  readonly target: Target;
  /** Says what is wanted of the file, by its outermost element, or throws. */
  readonly root: (root: RootElement) => XmlElement<Target>;
  /** Elements that are refused, by their names without prefix, where they would be passed over. */
  readonly neverPassedOver: ReadonlySet<string>;
}

const PARSER_OPTIONS = { xmlns: false, position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const;
type ParserOptions = typeof PARSER_OPTIONS;

/** What stands between the ends of two tags: a text, comments, a tag itself. The parser holds it in memory until it ends. */
const UNENDED_CHARACTERS_MAX = RAW_CHARACTERS_MAX;

/** Of the names of the elements around a place, in a message. */
const PLACE_CHARACTERS_MAX = 200;

/**
 * Walks through an XML file as its text comes, and calls the handlers of the elements that are wanted. A file that is not
 * well-formed, holds a document type, or is past a cap is refused; entities other than the five of XML do not exist.
 */
export class XmlWalker<Target> {
  // With more than seven handlers V8 turns the parser into a hash table, and reading is six times slower. So comments and
  // instructions have none, and the version has none: all are read by the rules of XML 1.0.
  readonly #parser = new SaxesParser<ParserOptions>(PARSER_OPTIONS);
  readonly #window = new RawWindow();
  readonly #options: WalkOptions<Target>;
  readonly #path: XmlElement<Target>[] = [];
  /** As the file writes them: those of the path, and that of the outermost element that is passed over. */
  readonly #names: string[] = [];
  #current: XmlElement<Target> | undefined;
  /** How many elements deep we are in one that is passed over; 0 outside. */
  #passed = 0;
  #prefix = '';
  /** The attribute that says the namespace of the elements with this prefix. */
  #declaration = 'xmlns';
  #namespace: string | undefined;
  #text = '';
  #textLine = 0;
  #attributes: Readonly<Record<string, string>> = {};
  #lastPlace = 0;

  constructor(options: WalkOptions<Target>) {
    this.#options = options;
    const parser = this.#parser;
    parser.on('error', (error) => this.#refuse(`expected well-formed XML: ${error.message}`));
    parser.on('doctype', () => this.#refuse('expected no document type, got <!DOCTYPE'));
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    parser.on('cdata', (text) => this.#cdata(text));
  }

  /** The line of the file that is being read; the first is 1. */
  get line(): number {
    return this.#parser.line;
  }

  write(text: string): void {
    if (text === '') return;
    this.#window.take(text);
    this.#parser.write(text);
    this.#checkUnended();
  }

  /** @throws AppError `bad_input` when the file stops in the middle. */
  end(): void {
    this.#parser.close();
  }

  #open(tag: SaxesTagPlain): void {
    this.#advance();
    if (this.#path.length + this.#passed >= DEPTH_MAX) {
      this.#refuse(`expected at most ${DEPTH_MAX} elements inside each other, got ${quoted(tag.name)}`);
    }
    if (this.#passed > 0) {
      this.#passOver(tag);
      return;
    }
    const parent = this.#current;
    const element = parent === undefined ? this.#root(tag) : this.#child(parent, tag);
    if (element === undefined) {
      this.#passOver(tag);
      this.#names.push(tag.name);
      return;
    }
    this.#path.push(element);
    this.#names.push(tag.name);
    this.#current = element;
    if (element.raw !== undefined) this.#window.open(this.#parser.position);
    if (element.text !== undefined) {
      this.#text = '';
      this.#textLine = this.line;
      this.#attributes = tag.attributes;
      this.#parser.on('text', this.#collect);
    }
    element.open?.(this.#options.target, this.line);
  }

  #close(): void {
    this.#advance();
    if (this.#passed > 0) {
      this.#passed -= 1;
      if (this.#passed === 0) this.#names.pop();
      return;
    }
    const element = this.#path.pop();
    this.#names.pop();
    this.#current = this.#path.at(-1);
    if (element === undefined) return;
    const { target } = this.#options;
    if (element.text !== undefined) {
      this.#parser.off('text');
      element.text(target, { text: this.#text.trim(), attributes: this.#attributes, line: this.#textLine });
      this.#text = '';
    }
    if (element.raw !== undefined) element.raw(target, this.#window.close(this.#parser.position));
    element.close?.(target);
  }

  #root(tag: SaxesTagPlain): XmlElement<Target> {
    const [, prefix = '', name = tag.name] = /^([^:]+):(.*)$/s.exec(tag.name) ?? [];
    this.#prefix = prefix === '' ? '' : `${prefix}:`;
    this.#declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    this.#namespace = tag.attributes[this.#declaration];
    return this.#options.root({ name, namespace: this.#namespace, line: this.line });
  }

  #child(parent: XmlElement<Target>, { name, attributes }: SaxesTagPlain): XmlElement<Target> | undefined {
    const declared = attributes[this.#declaration];
    if (declared !== undefined && declared !== this.#namespace) {
      this.#refuse(`expected no other namespace here, got ${quoted(declared)}`);
    }
    if (parent.text !== undefined && parent.children.size === 0) {
      this.#refuse(`expected text, got the element ${quoted(name)}`);
    }
    const prefix = this.#prefix;
    if (prefix === '' || name.startsWith(prefix)) {
      const local = name.slice(prefix.length);
      const child = parent.children.get(local);
      if (child !== undefined || !local.includes(':')) return child;
    }
    // It may be a name for the same namespace: an entry that is passed over would be money that is passed over.
    this.#refuse(`expected elements of the namespace of the file, got ${quoted(name)}`);
  }

  #passOver({ name, attributes }: SaxesTagPlain): void {
    this.#passed += 1;
    const colon = name.indexOf(':');
    if (!this.#options.neverPassedOver.has(name.slice(colon + 1))) return;
    const namespace = attributes[colon === -1 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`];
    // It says itself that it is of another kind of file.
    if (namespace !== undefined && namespace !== this.#namespace) return;
    const place = this.#names.join('/');
    this.#refuse(`expected ${quoted(name)} only where it is read, got one in ${place.slice(-PLACE_CHARACTERS_MAX)}`);
  }

  readonly #collect = (text: string): void => {
    if (this.#passed > 0) return;
    this.#text += text;
    if (this.#text.length > TEXT_CHARACTERS_MAX) {
      this.#refuse(`expected a text of at most ${TEXT_CHARACTERS_MAX} characters, got ${quoted(this.#text)}`);
    }
  };

  #cdata(text: string): void {
    this.#advance();
    if (this.#current?.text !== undefined) this.#collect(text);
  }

  #advance(): void {
    this.#checkUnended();
    this.#lastPlace = this.#parser.position;
  }

  #checkUnended(): void {
    if (this.#parser.position - this.#lastPlace > UNENDED_CHARACTERS_MAX) {
      this.#refuse(`expected a tag within ${UNENDED_CHARACTERS_MAX} characters, got none`);
    }
  }

  #refuse(problem: string): never {
    throw refusalAt(this.line, problem);
  }
}
