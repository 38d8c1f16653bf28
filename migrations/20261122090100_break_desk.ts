import type { MigrationTools } from '../src/db';

/** Who works on a break, what two people are to decide, and what they decided. */
export async function up({ createTable, appendOnly }: MigrationTools): Promise<void> {
  await createTable('break_assignments', (t) => {
    t.ulid('break_id').notNullable().primary();
    t.outsideId('assignee').notNullable();
    t.instant('assigned_at').notNullable();
    t.text('assigned_by').notNullable();
    t.keys.index('assignee', 'break_assignments_assignee');
    t.keys.foreign('break_id', 'break_assignments_break').references('id').inTable('recon_breaks');
  });
  await createTable('break_proposals', (t) => {
    t.ulid('id').notNullable().primary();
    t.reference('subject').notNullable();
    t.count('position').notNullable();
    t.ulid('break_id');
    t.code('kind').notNullable();
    t.longText('payload').notNullable();
    t.text('reason').notNullable();
    // What the break was when it was proposed: both people decide on the same difference.
    t.digest('basis');
    t.text('proposed_by').notNullable();
    t.ulid('proposed_by_key').notNullable();
    t.instant('proposed_at').notNullable();
    t.keys.unique(['subject', 'position'], { indexName: 'break_proposals_subject' });
    t.keys.foreign('break_id', 'break_proposals_break').references('id').inTable('recon_breaks');
  });
  await createTable('break_decisions', (t) => {
    t.ulid('proposal_id').notNullable().primary();
    t.code('outcome').notNullable();
    t.text('reason');
    t.text('decided_by').notNullable();
    t.ulid('decided_by_key');
    t.instant('decided_at').notNullable();
    // The ledger transaction that the decision made, where it moved money, and how much.
    t.reference('posted_as');
    t.millimes('amount_millimes');
    t.keys.unique(['posted_as'], { indexName: 'break_decisions_posted_as' });
    t.keys.foreign('proposal_id', 'break_decisions_proposal').references('id').inTable('break_proposals');
  });
  for (const table of ['break_proposals', 'break_decisions']) await appendOnly(table);
}

export async function down({ dropTable }: MigrationTools): Promise<void> {
  for (const table of ['break_decisions', 'break_proposals', 'break_assignments']) await dropTable(table);
}
