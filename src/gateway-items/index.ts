export { paymentItemId, refundItemId, unnamedRefundItemId } from './item-ids';
export { ITEM, openItemStore, type GatewayItem } from './item-store';
export { postFees, type FeeCorrection } from './post-fees';
export { postFee, postItem, type PostedBy } from './post-item';
