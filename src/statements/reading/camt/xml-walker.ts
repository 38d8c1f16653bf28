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
  /** The names of the elements of the envelope around it. */
  readonly inside: readonly string[];
}

export interface WalkOptions<Target> {
  readonly target: Target;
  /** Returns the needed parts of an outermost element; undefined if it is an envelope, whose elements are asked next. */
  readonly root: (root: RootElement) => XmlElement<Target> | undefined;
  /** Names without prefix of elements that must not be skipped. */
  readonly neverPassedOver: ReadonlySet<string>;
  /** The line of the file on which the document starts. */
  readonly firstLine: number;
}

const PARSER_OPTIONS = { xmlns: false, position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const;
type ParserOptions = typeof PARSER_OPTIONS;

/**
 * The limit on the text between the ends of two tags: a text, comments, a tag itself. The parser keeps it in memory
 * until it ends.
 */
const UNENDED_CHARACTERS_MAX = RAW_CHARACTERS_MAX;

/** The limit on the names of enclosing elements in a message. */
const PLACE_CHARACTERS_MAX = 200;

/** The parser's own words, and what to tell a person instead. */
const PLAIN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/root element/, 'no element'],
  [/unclosed tag|unexpected end/, 'the end of the file; the file is truncated'],
  [/close tag|closing tag/, 'a closing tag without its opening tag'],
  [/outside of root/, 'text outside the elements'],
  [/entity/, 'an entity that XML does not have'],
  [/declaration|version|encoding|standalone/i, 'a damaged or misplaced declaration of XML'],
  [/attribute|quote/, 'a damaged attribute'],
];

/** Stops the parser. */
class DocumentEnded extends Error {}

/**
 * Parses an XML document as its text arrives, and calls the handlers of the needed elements. It refuses a document that is
 * not well-formed, contains a document type, or exceeds a limit. Only the five entities of XML exist.
 */
export class XmlWalker<Target> {
  // With more than seven handlers V8 turns the parser into a hash table, and reading is six times slower. So comments
  // and instructions have none. The version has none either: all files are read by the rules of XML 1.0.
  readonly #parser = new SaxesParser<ParserOptions>(PARSER_OPTIONS);
  readonly #window = new RawWindow();
  readonly #options: WalkOptions<Target>;
  readonly #path: XmlElement<Target>[] = [];
  /** The names as the file writes them: those of the path, and that of the outermost skipped element. */
  readonly #names: string[] = [];
  #current: XmlElement<Target> | undefined;
  /** The open elements around the document. */
  readonly #envelope: SaxesTagPlain[] = [];
  /** The depth inside a skipped element; 0 outside. */
  #passed = 0;
  #prefix = '';
  /** The attribute that declares the namespace of the elements with this prefix. */
  #declaration = 'xmlns';
  #namespace: string | undefined;
  #text = '';
  #textLine = 0;
  #attributes: Readonly<Record<string, string>> = {};
  #lastPlace = 0;
  /** The number of characters of earlier texts. */
  #written = 0;

  constructor(options: WalkOptions<Target>) {
    this.#options = options;
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      const [, got = 'a character that is not allowed here'] = PLAIN_WORDS.find(([said]) => said.test(message)) ?? [];
      this.#refuse(`expected well-formed XML, got ${got}`);
    });
    parser.on('doctype', () => this.#refuse('expected no document type, got <!DOCTYPE'));
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    parser.on('cdata', (text) => this.#cdata(text));
  }

  /** The current line of the file; the first is 1. */
  get line(): number {
    return this.#options.firstLine - 1 + this.#parser.line;
  }

  /** Returns the text after the end of the document; undefined until it ends. After that, write nothing more. */
  write(text: string): string | undefined {
    if (text === '') return undefined;
    this.#window.take(text);
    try {
      this.#parser.write(text);
    } catch (error) {
      if (error instanceof DocumentEnded) return text.slice(this.#parser.position - this.#written);
      throw error;
    }
    this.#written += text.length;
    this.#checkUnended();
    return undefined;
  }

  /** Refuses a file that ends before its document. @throws AppError `bad_input`. */
  end(): never {
    this.#parser.close();
    return this.#refuse('expected the end of the document, got the end of the file');
  }

  #open(tag: SaxesTagPlain): void {
    this.#advance();
    if (this.#envelope.length + this.#path.length + this.#passed >= DEPTH_MAX) {
      this.#refuse(`expected at most ${DEPTH_MAX} elements inside each other, got ${quoted(tag.name)}`);
    }
    if (this.#passed > 0) {
      this.#passOver(tag);
      return;
    }
    const parent = this.#current;
    const element = parent === undefined ? this.#root(tag) : this.#child(parent, tag);
    if (element === undefined && parent === undefined) {
      this.#envelope.push(tag);
      return;
    }
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
    this.#closeElement();
    if (this.#path.length + this.#envelope.length + this.#passed === 0) throw new DocumentEnded();
  }

  #closeElement(): void {
    if (this.#passed > 0) {
      this.#passed -= 1;
      if (this.#passed === 0) this.#names.pop();
      return;
    }
    const element = this.#path.pop();
    if (element === undefined) {
      this.#envelope.pop();
      return;
    }
    this.#names.pop();
    this.#current = this.#path.at(-1);
    const { target } = this.#options;
    if (element.text !== undefined) {
      this.#parser.off('text');
      element.text(target, { text: this.#text.trim(), attributes: this.#attributes, line: this.#textLine });
      this.#text = '';
    }
    if (element.raw !== undefined) element.raw(target, this.#window.close(this.#parser.position));
    element.close?.(target);
  }

  #root(tag: SaxesTagPlain): XmlElement<Target> | undefined {
    const [, prefix = '', name = tag.name] = /^([^:]+):(.*)$/s.exec(tag.name) ?? [];
    this.#prefix = prefix === '' ? '' : `${prefix}:`;
    this.#declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    // The envelope may declare it.
    const declaring = [...this.#envelope, tag].findLast(
      ({ attributes }) => attributes[this.#declaration] !== undefined,
    );
    this.#namespace = declaring?.attributes[this.#declaration];
    const inside = this.#envelope.map((element) => element.name);
    return this.#options.root({ name, namespace: this.#namespace, line: this.line, inside });
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
    // It may be another name of the same namespace, and skipping an entry would lose money.
    this.#refuse(`expected elements of the namespace of the file, got ${quoted(name)}`);
  }

  #passOver({ name, attributes }: SaxesTagPlain): void {
    this.#passed += 1;
    const colon = name.indexOf(':');
    if (!this.#options.neverPassedOver.has(name.slice(colon + 1))) return;
    const namespace = attributes[colon === -1 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`];
    // The file itself names another kind of file.
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
