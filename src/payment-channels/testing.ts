export type { WalletPayRequest } from './payment-channels';
export { readQrHistory } from './qr/qr-history';
export { openQrPayments } from './qr/qr-store';
