import { AppError, quoted } from '../../../kernel';
import { RAW_CHARACTERS_MAX, STATEMENTS_MAX } from '../limits';
import type { StatementEvent, StatementReader } from '../parsed-statement';
import { refusalAt } from '../refusal';
import { CAMT_DOCUMENTS, NEVER_PASSED_OVER } from './camt-documents';
import { CamtMessage } from './camt-message';
import { createStreamDecoder, type StreamDecoder } from './stream-decoder';
import type { XmlElement } from './xml-element';
import { findXmlEncoding, type XmlEncoding } from './xml-encoding';
import { type RootElement, XmlWalker } from './xml-walker';

/** The limit on the bytes decoded in one step. */
const PIECE_BYTES = 64 * 1024;

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:';
const MESSAGE = /^camt\.(05[234])\.001\.(\d\d)$/;
const EXPECTED = 'camt.052, .053 or .054';
/** The newest known version of these messages. The rules of later ones are unknown. */
const VERSION_MAX = 13;

/** What may stand before a document. A mark of UTF-8 is a space here. */
const BETWEEN = /^(?:\s|<!--[\s\S]*?-->|<\?(?!xml\s)[\s\S]*?\?>)*/;
/** The start of the same, or of a declaration, whose end is still to be read. */
const UNENDED = /^(?:<?$|<!-?$|<!--|<\?(?!xml\s[\s\S]*?\?>))/;

/**
 * Reads camt.053 (statements), camt.052 (interim reports) and camt.054 (notifications) of ISO 20022, versions 01 to 13,
 * as a stream, with or without an envelope around the message. A file may have several documents, one after
 * the other. `push` and `end` throw AppError `bad_input` for unreadable input. After that the reader only repeats the error.
 */
export function createCamtReader(): StatementReader {
  return new CamtReader();
}

class CamtReader implements StatementReader {
  readonly #message = new CamtMessage();
  /** Undefined between two documents. */
  #walker: XmlWalker<CamtMessage> | undefined;
  /** The text between two documents that may continue, and its first line. */
  #rest = '';
  #line = 1;
  #documents = 0;
  /** The number of statements in the documents that ended. */
  #statements = 0;
  #decoder: StreamDecoder | undefined;
  #encoding: XmlEncoding = 'utf-8';
  /** The first bytes, until they show the encoding of the file. */
  #head: Buffer = Buffer.alloc(0);
  #refused: AppError | undefined;

  push(bytes: Buffer): readonly StatementEvent[] {
    return this.#guarded(() => this.#read(bytes));
  }

  end(): readonly StatementEvent[] {
    return this.#guarded(() => {
      const decoder = this.#decoder ?? this.#start(true);
      if (decoder?.pending === true) {
        throw refusalAt(this.#lineNow, 'expected the rest of a character, got the end of the file');
      }
      this.#walker?.end();
      if (this.#documents === 0) throw refusalAt(this.#line, 'expected well-formed XML, got no element');
      if (this.#rest !== '') throw refusalAt(this.#line, 'expected the end of a comment, got the end of the file');
    });
  }

  #read(bytes: Buffer): void {
    if (this.#decoder !== undefined) {
      this.#decode(this.#decoder, bytes);
      return;
    }
    this.#head = Buffer.concat([this.#head, bytes]);
    this.#start(false);
  }

  #start(atEnd: boolean): StreamDecoder | undefined {
    const found = findXmlEncoding(this.#head, atEnd);
    if (found.kind === 'more') return undefined;
    if (found.kind === 'refused') throw refusalAt(1, found.problem);
    const body = this.#head.subarray(found.markBytes);
    this.#head = Buffer.alloc(0);
    this.#encoding = found.encoding;
    this.#decoder = createStreamDecoder(found.encoding);
    this.#decode(this.#decoder, body);
    return this.#decoder;
  }

  #decode(decoder: StreamDecoder, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const { text, broken } = decoder.decode(bytes.subarray(at, at + PIECE_BYTES));
      this.#write(text);
      if (broken) throw refusalAt(this.#lineNow, 'expected text in the encoding of the file, got other bytes');
    }
  }

  #write(text: string): void {
    for (let more: string | undefined = text; more !== undefined && more !== '';) {
      more = this.#walker === undefined ? this.#begin(more) : this.#endDocument(this.#walker, more);
    }
  }

  /** Returns the text after a document. @throws AppError `bad_input` if the document has no statement. */
  #endDocument(walker: XmlWalker<CamtMessage>, text: string): string | undefined {
    const rest = walker.write(text);
    if (rest === undefined) return undefined;
    if (this.#message.statements === this.#statements) {
      throw refusalAt(walker.line, `expected a statement, got none inside a Document of ${EXPECTED}`);
    }
    this.#statements = this.#message.statements;
    this.#line = walker.line;
    this.#walker = undefined;
    return rest;
  }

  /** Returns the text of the next document, once it begins. */
  #begin(text: string): string | undefined {
    this.#rest += text;
    const [skipped = ''] = BETWEEN.exec(this.#rest) ?? [];
    this.#line += skipped.split('\n').length - 1;
    const document = this.#rest.slice(skipped.length);
    this.#rest = document;
    if (document.length > RAW_CHARACTERS_MAX) throw refusalAt(this.#line, 'expected the end of a comment, got none');
    if (UNENDED.test(document)) return undefined;
    this.#rest = '';
    this.#documents += 1;
    if (this.#documents > STATEMENTS_MAX) {
      throw refusalAt(this.#line, `expected at most ${STATEMENTS_MAX} documents in a file, got more`);
    }
    if (this.#documents > 1) this.#requireSameEncoding(document);
    this.#walker = new XmlWalker({
      target: this.#message,
      root: documentElement,
      neverPassedOver: NEVER_PASSED_OVER,
      firstLine: this.#line,
    });
    return document;
  }

  #requireSameEncoding(document: string): void {
    if (!document.startsWith('<?xml') || this.#encoding.startsWith('utf-16')) return;
    const found = findXmlEncoding(Buffer.from(document, 'latin1'), true);
    const encoding = found.kind === 'found' ? found.encoding : 'another';
    if (encoding === this.#encoding || encoding === 'us-ascii') return;
    throw refusalAt(
      this.#line,
      `expected ${this.#encoding} in each document of the file, got ${encoding}; save each document as a file of its own`,
    );
  }

  get #lineNow(): number {
    return this.#walker?.line ?? this.#line;
  }

  #guarded(act: () => void): readonly StatementEvent[] {
    if (this.#refused !== undefined) throw this.#refused;
    try {
      act();
    } catch (error) {
      if (error instanceof AppError) this.#refused = error;
      throw error;
    }
    return this.#message.takeEvents();
  }
}

/**
 * Returns the parts of a camt message; undefined for an element of an envelope, such as a header of SWIFT or of a bank's
 * own.
 */
function documentElement({ name, namespace, line, inside }: RootElement): XmlElement<CamtMessage> | undefined {
  const isOfCamt = namespace?.startsWith(NAMESPACE) === true && MESSAGE.test(namespace.slice(NAMESPACE.length));
  if (name !== 'Document' && (inside.length > 0 || !isOfCamt)) {
    if (!NEVER_PASSED_OVER.has(name)) return undefined;
    const place = inside.length === 0 ? 'one outside' : `one in ${quoted(inside.join('/'))}`;
    throw refusalAt(line, `expected ${quoted(name)} only inside the element Document, got ${place}`);
  }
  if (namespace?.startsWith(NAMESPACE) !== true) {
    const found = namespace === undefined ? `${quoted(name)} without a namespace` : quoted(namespace);
    throw refusalAt(line, `expected the namespace of ${EXPECTED}, got ${found}`);
  }
  const message = namespace.slice(NAMESPACE.length);
  const [, number = '', version = ''] = MESSAGE.exec(message) ?? [];
  const element = CAMT_DOCUMENTS[number];
  if (element === undefined) throw refusalAt(line, `expected ${EXPECTED}, got ${shown(message)}`);
  if (Number(version) < 1 || Number(version) > VERSION_MAX) {
    throw refusalAt(line, `expected a version from 01 to ${VERSION_MAX}, got ${shown(message)}`);
  }
  if (name !== 'Document') throw refusalAt(line, `expected the element Document, got ${quoted(name)}`);
  return element;
}

/** Returns the name of a message unchanged, if it is one. */
function shown(message: string): string {
  return /^[\w.]{1,40}$/.test(message) ? message : quoted(message);
}
