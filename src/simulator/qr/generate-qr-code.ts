import { type Millimes, millimes, sha256Hex, ZERO_MILLIMES } from '../../kernel';
import { numberError } from '../core/answers';
import { FieldCheck } from '../core/field-check';
import type { SimOperation } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { codeOf } from './pay-qr';
import { sendQrCustomer } from './qr-customer';
import { checkMerchantId, qrRefusal } from './qr-fields';
import type { SimQrCode } from './qr-state';

const SLUG_DIGITS = 12;

/**
 * Generate Custom QR Code (interface section 4.5): a GET with effects. The same `operation_uuid` returns the same code;
 * with another amount or merchant it is refused.
 */
export const generateQrCode: SimOperation = {
  name: 'qr.generate',
  method: 'GET',
  path: '/api/business/generate_custom_qr_code',
  auth: 'api_key',
  answer(simulation, request) {
    const check = FieldCheck.ofQuery(request);
    const amountMillimes = checkAmount(check);
    const merchantId = checkMerchantId(check);
    const given = check.has('operation_uuid') ? check.uuid('operation_uuid') : undefined;
    const isSlug = checkFlag(check, 'barcode');
    const refusal = qrRefusal(check, merchantId);
    if (refusal !== undefined) return refusal;
    const operationUuid = given ?? simulation.newUuid();
    const known = codeOf(simulation, operationUuid);
    if (known !== undefined && (known.amountMillimes !== amountMillimes || known.merchantId !== merchantId)) {
      return numberError(400, 'operation_uuid is used by another code');
    }
    if (known === undefined) {
      const { isTest } = simulation.settings;
      keep(simulation, { operationUuid, merchantId, amountMillimes, isTest, createdAt: simulation.now() });
    }
    const qrCode = textOf(simulation, operationUuid, isSlug);
    return { status: 200, body: { success: true, code: 200, qr_code: qrCode, operation_uuid: operationUuid } };
  },
};

function keep(simulation: Simulation, code: SimQrCode): void {
  const { operationUuid, merchantId, amountMillimes } = code;
  simulation.world.qr.codes[operationUuid] = code;
  simulation.record('qr.generated', { operationUuid, merchantId, amountMillimes });
  sendQrCustomer(simulation, code);
}

/** Returns an opaque text derived from the uuid, because the interface does not describe the content of a real code. */
function textOf({ world }: Simulation, operationUuid: string, isSlug: boolean): string {
  const digest = sha256Hex(`${world.seed}:${operationUuid}`);
  return isSlug ? `qr-${digest.slice(0, SLUG_DIGITS)}` : digest.toUpperCase();
}

/**
 * Reads the amount under its name in the table or in the sample (open points 75 and 76). Its type is "decimal", so
 * zeros after the point are accepted.
 */
function checkAmount(check: FieldCheck): Millimes {
  const name = !check.has('amount_in_millimes') && check.has('amount') ? 'amount' : 'amount_in_millimes';
  const text = check.text(name);
  const [, digits] = /^(\d{1,15})(?:\.0+)?$/.exec(text) ?? [];
  if (digits !== undefined && Number(digits) > 0) return millimes(Number(digits));
  if (text !== '') check.refuse(name, 'is not a whole number of millimes above 0');
  return ZERO_MILLIMES;
}

function checkFlag(check: FieldCheck, name: string): boolean {
  const text = check.textOrNull(name) ?? 'false';
  if (text !== 'true' && text !== 'false') check.refuse(name, 'is neither true nor false');
  return text === 'true';
}
