import type { AuditKey, AuditRecord } from '../identity';
import { escapeUnseen, rowsOfPages } from '../kernel';
import { auditRecordJson } from '../shapes/identity';
import type { RegisterCommands, ShowOptions } from './command';
import { t, word } from './language';
import { limitOption } from './option-values';
import { printTable } from './print-table';

interface ListOptions extends ShowOptions {
  limit: number;
  subject?: string;
}

export const registerAuditCommands: RegisterCommands = (program, run) => {
  const audit = program.command('audit');

  audit
    .command('list')
    .addOption(limitOption())
    .option('--subject <subject>')
    .option('--json')
    .action((options: ListOptions) =>
      run(async (millime, io) => {
        const { limit, subject } = options;
        const found = await rowsOfPages<AuditRecord, AuditKey>(limit, (after, count) =>
          millime.identity.auditRecords({ subject, after, limit: count }),
        );
        if (options.json === true) return io.json(found.map(auditRecordJson));
        const rows = found.map(({ at, actorKind, actorName, keyId, action, subject: about, detail }) => {
          const isUser = actorKind === 'user';
          const by = isUser ? t('cli:audit.user') : t('cli:audit.key', { id: keyId ?? '' });
          const actor = keyId === undefined ? actorName : `${actorName} (${by})`;
          const facts = escapeUnseen(JSON.stringify(detail));
          return [millime.calendar.formatLocal(at), actor, word('auditAction', action), about, facts];
        });
        printTable(
          io,
          ['time', 'actor', 'action', 'subject', 'detail'],
          rows,
          t('cli:count.record', { count: rows.length }),
        );
      }),
    );
};
