import { OPERATOR } from '../../../../src/identity';
import { newId } from '../../../../src/kernel';
import { silentLogger } from '../../../../src/logging';
import { bankFileOfBytes } from '../../../../src/statements';
import {
  finishLoad,
  joinPages,
  loadBankFile,
  newStatement,
  openLoadingRows,
  postLines,
  scanBankFile,
  takeSlot,
} from '../../../../src/statements/testing';
import type { TheBooks } from './the-books';

const DEADLINE_MS = 10_000;

/** Stores a file of one statement under a name that the import of today would change, as an older version did. */
export async function storeUnderName({ deps }: TheBooks, bytes: Uint8Array, account: string): Promise<void> {
  const { database, clock } = deps;
  const bankFile = bankFileOfBytes('bank.txt', bytes);
  const { facts, reading, statements: scanned } = scanBankFile(bankFile, {}, []);
  const file = {
    id: newId(),
    sha256: facts.sha256,
    name: bankFile.name,
    sizeBytes: facts.sizeBytes,
    format: reading.format,
    profile: reading.profile,
    importedAt: clock.now(),
    importedBy: OPERATOR.name,
  };
  const statements = joinPages(scanned).map((whole, index) => ({
    whole,
    statement: newStatement(whole, { fileId: file.id, position: index + 1, account }),
  }));
  const rows = statements.map(({ statement }) => statement);
  const taken = await takeSlot({ ...deps, logger: silentLogger, onWait: () => undefined }, file);
  if (taken.kind !== 'taken') throw new Error('these bytes are stored');
  const { slot } = taken;
  await slot.whileHeld(database, DEADLINE_MS, (session) => openLoadingRows(session).insertStatements(rows));
  const { sha256 } = facts;
  await loadBankFile(deps, { file: bankFile, reading, statements, sha256, slot, onProgress: () => undefined });
  await finishLoad(database, { file, statements: rows, slot, actor: OPERATOR });
  await postLines(deps);
}
