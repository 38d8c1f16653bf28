// The process in which the engine runs. It receives questions, never a world: the truth stays in another process.
import { answerQuestion, type EngineQuestion } from './answer-question';

process.on('message', (question: EngineQuestion) => {
  process.send?.(answerQuestion(question));
});
