import { ts } from '@ts-morph/common';

/** One small change of a source file, made to see whether a test notices it. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

const K = ts.SyntaxKind;

const OPERATORS: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [K.LessThanToken, ['<=', '>']],
  [K.LessThanEqualsToken, ['<']],
  [K.GreaterThanToken, ['>=', '<']],
  [K.GreaterThanEqualsToken, ['>']],
  [K.EqualsEqualsEqualsToken, ['!==']],
  [K.ExclamationEqualsEqualsToken, ['===']],
  [K.AmpersandAmpersandToken, ['||']],
  [K.BarBarToken, ['&&']],
  [K.PlusToken, ['-']],
  [K.MinusToken, ['+']],
]);

/** What a statement of SQL means differently with, and still is one. */
const SQL_CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ = (?=\?|:|\$)/g, ' <> '],
  [/ AND /g, ' OR '],
  [/ OR /g, ' AND '],
  [/ DESC\b/g, ''],
  [/\bNOT (?=EXISTS|IN|NULL)/g, ''],
];
const SQL = /\b(?:SELECT|UPDATE|DELETE|INSERT|WHERE|ORDER BY|SET|AND|LIMIT)\b/;

/** Types are erased before the program runs, and imports and names of properties have no other value that makes sense. */
const isSkipped = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined);

const isNameOfProperty = (node: ts.Node): boolean =>
  ts.isPropertyAssignment(node.parent) && node.parent.name === node;

function isEffect(node: ts.Node): node is ts.ExpressionStatement {
  if (!ts.isExpressionStatement(node)) return false;
  const { expression } = node;
  const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
  if (ts.isCallExpression(inner)) return true;
  const operator = ts.isBinaryExpression(inner) ? inner.operatorToken.kind : K.Unknown;
  return operator >= K.FirstAssignment && operator <= K.LastAssignment;
}

/** The texts that can replace a node. */
function replacements(node: ts.Node, source: ts.SourceFile): readonly string[] {
  const text = (part: ts.Node): string => part.getText(source);
  if (isEffect(node)) return [';'];
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    if (operatorToken.kind === K.QuestionQuestionToken) return [text(left), text(right)];
    return (OPERATORS.get(operatorToken.kind) ?? []).map((sign) => `(${text(left)} ${sign} ${text(right)})`);
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) return [text(node.operand)];
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken)
    return [`${text(node.expression)}.${text(node.name)}`];
  if (ts.isNumericLiteral(node)) return [String(Number(node.text) + 1)];
  if (ts.isBigIntLiteral(node)) return [`(${text(node)} + 1n)`];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return ['[]'];
  if (ts.isStringLiteral(node) && !isNameOfProperty(node) && !/\s/.test(node.text))
    return [node.text === '' ? "'mutant'" : "''"];
  return [];
}

/** The conditions of a statement or an expression. A loop that never ends only costs time. */
function condition(node: ts.Node): readonly [ts.Expression, readonly string[]] | undefined {
  if (ts.isIfStatement(node)) return [node.expression, ['true', 'false']];
  if (ts.isConditionalExpression(node)) return [node.condition, ['true', 'false']];
  return ts.isWhileStatement(node) ? [node.expression, ['false']] : undefined;
}

function* sqlMutants(text: string): Iterable<readonly [at: number, length: number, replacement: string]> {
  if (!SQL.test(text)) return;
  for (const [found, replacement] of SQL_CHANGES)
    for (const match of text.matchAll(found)) yield [match.index, match[0].length, replacement];
}

/** Every mutant of a file, in the order of its lines. */
export function mutantsOf(file: string, code: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, replacement: string): void => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ file, line, start, end, original: code.slice(start, end), replacement });
  };
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    const [start, end] = [node.getStart(source), node.getEnd()];
    for (const replacement of replacements(node, source)) add(start, end, replacement);
    const [tested, values] = condition(node) ?? [];
    if (tested) for (const value of values ?? []) add(tested.getStart(source), tested.getEnd(), value);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      for (const [at, length, replacement] of sqlMutants(code.slice(start, end)))
        add(start + at, start + at + length, replacement);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.sort((a, b) => a.start - b.start);
}
