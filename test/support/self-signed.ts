import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIPv4 } from 'node:net';

const ECDSA_WITH_SHA256 = sequence(hex('06082a8648ce3d040302'));
const COMMON_NAME = hex('0603550403');
const SUBJECT_ALT_NAME = hex('0603551d11');
const BASIC_CONSTRAINTS = hex('0603551d13');
const LOOPBACK = '127.0.0.1';

/** A key and its certificate, in PEM form. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

interface CertificateOptions {
  /** Host names and IPv4 addresses; none for an authority, which may sign others. */
  readonly hosts?: readonly string[];
  /** Itself by default. */
  readonly signedBy?: Certified | undefined;
  /** The end of its validity, as `20991231235959Z`. */
  readonly until?: string;
}

/** A certificate for 127.0.0.1 that nobody has signed but itself, made anew so that no key lies about in the code. */
export function selfSignedCertificate(): Certified {
  return makeCertificate({ hosts: [LOOPBACK] });
}

export function makeCertificate({ hosts = [], signedBy, until = '20991231235959Z' }: CertificateOptions): Certified {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = nameOf(own.publicKey);
  const signer = signedBy === undefined ? own.privateKey : createPrivateKey(signedBy.key);
  const names = hosts.map((host) =>
    isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  );
  const extension =
    hosts.length > 0
      ? sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...names)))
      : sequence(BASIC_CONSTRAINTS, hex('0101ff'), der(0x04, sequence(hex('0101ff'))));
  const body = sequence(
    der(0xa0, hex('020102')), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(createPublicKey(signer)),
    sequence(time('20200101000000Z'), time(until)),
    subject,
    own.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)]);
  const certificate = sequence(body, ECDSA_WITH_SHA256, der(0x03, signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** A name that differs for each key, so that an issuer is found by its name alone. */
function nameOf(publicKey: KeyObject): Buffer {
  const digest = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(`test ${digest.slice(0, 16)}`)))));
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** One value of the encoding rules of certificates: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
