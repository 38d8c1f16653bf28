import type { AuditRecord } from '../identity';
import { escapeUnseen, formatInstant } from '../kernel';
import type { RegisterCommands } from './command';
import { countOption } from './count-option';

const LIMIT_MAX = 10_000;

interface ListOptions {
  limit: string;
  subject?: string;
  json?: true;
}

export const registerAuditCommands: RegisterCommands = (program, run) => {
  const audit = program.command('audit');

  audit
    .command('list')
    .description('what was done, the newest first')
    .option('--limit <count>', `how many, at most ${LIMIT_MAX}`, '100')
    .option('--subject <subject>', 'only what was done to one thing, such as agent:004711 or due:D-1')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      run(async (millime, io) => {
        const { subject } = options;
        const found = await millime.identity.auditRecords({
          limit: countOption('--limit', options.limit, LIMIT_MAX),
          subject,
        });
        if (options.json === true) return io.json(found.map(toJson));
        if (found.length === 0) io.line('no records');
        for (const { at, actorName, keyId, action, subject: about, detail } of found) {
          const when = millime.calendar.formatLocal(at);
          const who = keyId === undefined ? actorName : `${actorName} (key ${keyId})`;
          io.line(`${when}  ${who}  ${action}  ${about}  ${escapeUnseen(JSON.stringify(detail))}`);
        }
      }),
    );
};

function toJson({ id, at, actorKind, actorName, keyId, action, subject, detail }: AuditRecord): unknown {
  return {
    id,
    at: formatInstant(at),
    actor: { kind: actorKind, name: actorName, keyId: keyId ?? null },
    action,
    subject,
    detail,
  };
}
