import { AppError, quoted } from '../../../kernel';
import type { StatementEvent, StatementReader } from '../parsed-statement';
import { refusalAt } from '../refusal';
import { CAMT_DOCUMENTS, NEVER_PASSED_OVER } from './camt-documents';
import { CamtMessage } from './camt-message';
import { createStreamDecoder, type StreamDecoder } from './stream-decoder';
import type { XmlElement } from './xml-element';
import { findXmlEncoding } from './xml-encoding';
import { type RootElement, XmlWalker } from './xml-walker';

/** The limit on the bytes decoded in one step. */
const PIECE_BYTES = 64 * 1024;

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:';
const MESSAGE = /^camt\.(05[234])\.001\.(\d\d)$/;
const EXPECTED = 'camt.052, .053 or .054';
/** The newest known version of these messages. The rules of later ones are unknown. */
const VERSION_MAX = 13;

/**
 * Reads camt.053 (statements), camt.052 (interim reports) and camt.054 (notifications) of ISO 20022, versions 01 to 13,
 * as a stream, with or without an envelope around the message. `push` and `end` throw AppError `bad_input` for unreadable input. After that the reader only repeats the
 * error.
 */
export function createCamtReader(): StatementReader {
  return new CamtReader();
}

class CamtReader implements StatementReader {
  readonly #message = new CamtMessage();
  readonly #walker = new XmlWalker<CamtMessage>({
    target: this.#message,
    root: documentElement,
    neverPassedOver: NEVER_PASSED_OVER,
  });
  #decoder: StreamDecoder | undefined;
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
        throw refusalAt(this.#walker.line, 'expected the rest of a character, got the end of the file');
      }
      this.#walker.end();
      if (this.#message.statements === 0) {
        throw refusalAt(this.#walker.line, `expected a statement, got none inside a Document of ${EXPECTED}`);
      }
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
    this.#decoder = createStreamDecoder(found.encoding);
    this.#decode(this.#decoder, body);
    return this.#decoder;
  }

  #decode(decoder: StreamDecoder, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const { text, broken } = decoder.decode(bytes.subarray(at, at + PIECE_BYTES));
      this.#walker.write(text);
      if (broken) throw refusalAt(this.#walker.line, 'expected text in the encoding of the file, got other bytes');
    }
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
