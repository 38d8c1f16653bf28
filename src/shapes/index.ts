export { agentIdField, listedAgent, listedAgentJson, shownAgent, shownAgentJson } from './agents';
export {
  auditRecord,
  auditRecordJson,
  auditRecordWithRequestJson,
  freshKey,
  freshKeyJson,
  keyJson,
  listedKey,
} from './identity';
export { type Diagnosis, diagnosis, jobState, jobStateJson } from './operations';
export {
  freshToken,
  freshTokenJson,
  keyAlgorithm,
  listedToken,
  listedTokenJson,
  rotation,
  rotationJson,
} from './service-tokens';
export {
  checkKindValue,
  creationJson,
  creationReason,
  creationValue,
  lateFields,
  lateJson,
  observationJson,
  observationValue,
  operationJson,
  operationOutcomeJson,
  operationOutcomeValue,
  operationValue,
  paymentJson,
  paymentValue,
  planValue,
  progressJson,
  progressValue,
} from './payments';
export {
  amountField,
  dayParameter,
  dayValue,
  dryRunParameter,
  flagParameter,
  idValue,
  instantJson,
  instantParameter,
  instantValue,
  integerParameter,
  millimesParameter,
  millimesValue,
  outsideIdField,
  pastedField,
  reasonField,
  textField,
  totalJson,
  totalValue,
  wordsParameter,
} from './values';
export {
  WEBHOOK_STATE_WORDS,
  webhookDiagnosis,
  webhookDiagnosisJson,
  webhookEntry,
  webhookEntryJson,
  webhookFamily,
} from './webhooks';
export { type BooksVerdict, booksVerdict, reportDocument } from './reports';
