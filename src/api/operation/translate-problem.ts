import { isJsonObject } from '../../kernel';
import { preferredLanguage, type Texts, textsOf } from '../../texts';
import { type ApiProblemCode, type ProblemBody, problemType } from './problem';

/** Returns the texts in the language that a request prefers; in English if it prefers none. */
export function textsFor(acceptLanguage: string | undefined, timeZone: string): Texts {
  return textsOf(preferredLanguage(acceptLanguage, 'en'), timeZone);
}

/** Returns the headers of an answer whose language the request chose. */
export function languageHeaders({ language }: Pick<Texts, 'language'>): Readonly<Record<string, string>> {
  return { 'Content-Language': language, Vary: 'Accept-Language' };
}

/** Returns a problem in another language. What has no sentence there stays English. */
export function translateProblem(problem: ProblemBody, texts: Texts): ProblemBody {
  if (texts.language === 'en') return problem;
  const { code, params, detail, errors } = problem;
  const known = { code: String(code), params: isJsonObject(params) ? params : {} };
  return {
    ...problem,
    ...problemType(code as ApiProblemCode, texts),
    detail: texts.problemDetail(known) ?? detail,
    ...(Array.isArray(errors) ? { errors: errors.map((each: unknown) => translateObstacle(each, texts)) } : {}),
  };
}

function translateObstacle(error: unknown, texts: Texts): unknown {
  if (!isJsonObject(error)) return error;
  const { code, params } = error;
  if (typeof code !== 'string' || !isJsonObject(params)) return error;
  return { ...error, detail: texts.obstacle({ code, params }) ?? error['detail'] };
}
