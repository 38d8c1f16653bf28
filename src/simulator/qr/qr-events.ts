import type { TimelineHandlers } from '../core/timeline';
import { actAsQrCustomer, QR_CUSTOMER } from './qr-customer';

export const qrEvents: TimelineHandlers = {
  [QR_CUSTOMER]: (simulation, { operationUuid }) => actAsQrCustomer(simulation, String(operationUuid)),
};
