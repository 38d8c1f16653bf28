import type { VNode } from 'preact';
import type { Texts } from '../../texts';
import type { Problem } from '../page/problem';

/** Why the last action was refused, first on the page and with the focus. */
export function ProblemBox({ texts, problem }: { texts: Texts; problem: Problem | undefined }): VNode | null {
  if (problem === undefined) return null;
  const { code, errors, errorCount } = problem;
  const detail =
    texts.problemDetail(problem) ?? (errors.length === 0 && problem.detail !== '' ? problem.detail : undefined);
  return (
    <div class="problem" role="alert" tabIndex={-1} data-focus>
      <p class="problem-title">{texts.problemTitle(code) ?? code}</p>
      {detail === undefined ? null : <p>{detail}</p>}
      {errors.length === 0 ? null : (
        <ul>
          {errors.map(({ pointer, detail }) => (
            <li>
              {pointer === undefined ? (
                <bdi>{detail}</bdi>
              ) : (
                <a href={`#field-${pointer.slice(1)}`}>
                  <bdi>{detail}</bdi>
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      {errorCount > errors.length ? (
        <p>{texts.t('common:form.moreErrors', { count: errorCount - errors.length })}</p>
      ) : null}
    </div>
  );
}

/** Returns why a field was refused; undefined if it was not. */
export function faultOf(problem: Problem | undefined, field: string): string | undefined {
  return problem?.errors.find(({ pointer }) => pointer === `/${field}`)?.detail;
}
