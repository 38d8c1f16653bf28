import type { Invariant } from './invariant';

/** Joins the last event of these kinds to each break `b`, as the row `e`. */
const lastOf = (...kinds: readonly string[]): string =>
  `recon_breaks b
          left join (select x.break_id, max(x.position) as position from recon_break_events x
                     where x.kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}) group by x.break_id) s
            on s.break_id = b.id
          left join recon_break_events e on e.break_id = s.break_id and e.position = s.position`;

/**
 * Invariants of breaks. Their rows change and their history does not, so each row must agree with its history. The
 * seals of days protect the history, and the audit trail protects people's actions. books-check-read-model.ts replaces
 * …_OF_BREAK and SUBJECT_OF_STEP by the SQL of each database.
 */
export const BREAK_INVARIANTS: readonly Invariant[] = [
  {
    // The detail of an event is JSON that begins with the value that the row repeats.
    name: 'a break is resolved when its history says so, then and as it says, and only then',
    sql: `select b.id, b.status, b.resolution, e.kind, e.detail from ${lastOf('opened', 'resolved', 'reopened')}
          where e.kind is null or (b.status = 'resolved') <> (e.kind = 'resolved')
             or (b.status = 'resolved'
                 and (b.resolved_at is null or b.resolved_at <> e.at or b.resolution is null
                      or substr(e.detail, 1, length(RESOLUTION_OF_BREAK)) <> RESOLUTION_OF_BREAK
                      or substr(e.detail, length(RESOLUTION_OF_BREAK) + 1, 1) <> '"'))
             or (b.status <> 'resolved' and (b.resolved_at is not null or b.resolution is not null))`,
  },
  {
    name: 'a break that is not resolved is proposed, assigned or open, as its assignment and proposal state',
    sql: `select b.id, b.status from recon_breaks b
          where b.status <> 'resolved'
            and b.status <> case
              when exists (select 1 from break_proposals p
                           where p.subject = SUBJECT_OF_BREAK
                             and not exists (select 1 from break_decisions d where d.proposal_id = p.id)) then 'proposed'
              when exists (select 1 from break_assignments a where a.break_id = b.id) then 'assigned'
              else 'open' end`,
  },
  {
    name: 'the amount of a break is the last that its history says',
    sql: `select b.id, b.amount_millimes, e.detail from ${lastOf('opened', 'changed', 'reopened')}
          where e.detail is null
             or (b.amount_millimes is null and substr(e.detail, 1, 9) <> '{"items":')
             or (b.amount_millimes is not null
                 and (substr(e.detail, 1, length(AMOUNT_OF_BREAK)) <> AMOUNT_OF_BREAK
                      or substr(e.detail, length(AMOUNT_OF_BREAK) + 1, 1) <> ','))`,
  },
  {
    name: 'the history of a break begins with its opening and lacks no step',
    sql: `select e.break_id, min(e.position) as first_step, max(e.position) as last_step, count(*) as steps
          from recon_break_events e group by e.break_id
          having min(e.position) <> 1 or max(e.position) <> count(*)
              or sum(case when e.position = 1 and e.kind = 'opened' then 1 else 0 end) <> 1`,
  },
  {
    name: 'what a person did to a break is in the audit trail',
    sql: `select e.break_id, e.position, e.kind, e.actor from recon_break_events e
          where (e.kind in ('assigned', 'commented', 'proposed', 'approved', 'rejected')
                 or (e.kind = 'resolved' and substr(e.detail, 1, 23) = '{"resolution":"by_hand"'))
            and not exists (select 1 from audit_records r
                            where r.subject = SUBJECT_OF_STEP and r.at = e.at and r.actor_name = e.actor)`,
  },
];
