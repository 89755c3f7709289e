<?php
// Prints what nikic/php-parser reads from the .php files below a folder, as JSON
// lines. Its Debian package is php-parser:
//
//	apt-get install php-cli php-parser && php facts.php DIR > php.jsonl
//
// A file that it does not parse is left out.
require_once 'PhpParser/autoload.php';

use PhpParser\Lexer;
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Scalar;
use PhpParser\Node\Stmt;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitorAbstract;
use PhpParser\ParserFactory;

ini_set('memory_limit', '2G');
ini_set('short_open_tag', '0');
ini_set('xdebug.max_nesting_level', '10000');
error_reporting(E_ALL & ~E_DEPRECATED);

final class Facts extends NodeVisitorAbstract
{
    public array $functions = [];
    public array $imports = [];
    public array $calls = [];

    public function enterNode(Node $node)
    {
        switch (true) {
            case $node instanceof Stmt\Function_:
            case $node instanceof Stmt\ClassMethod:
                $this->functions[] = ['name' => $node->name->name, 'line' => $node->name->getStartLine()];
                break;
            case $node instanceof Expr\Assign:
                if ($node->expr instanceof Expr\Closure || $node->expr instanceof Expr\ArrowFunction) {
                    $this->assigned($node->var);
                }
                break;
            case $node instanceof Expr\FuncCall:
            case $node instanceof Expr\MethodCall:
            case $node instanceof Expr\NullsafeMethodCall:
            case $node instanceof Expr\StaticCall:
                // What a property holds is called in parentheses, and has no name then.
                if (!$node->isFirstClassCallable() && (!$node->name instanceof Expr || $node->name instanceof Expr\Variable)) {
                    $this->called($node->name);
                }
                break;
            case $node instanceof Expr\New_:
                $this->called($node->class);
                break;
            case $node instanceof Stmt\Use_:
                foreach ($node->uses as $use) {
                    $this->imports[] = ['path' => $this->written($use->name), 'line' => $use->name->getStartLine()];
                }
                break;
            case $node instanceof Stmt\GroupUse:
                foreach ($node->uses as $use) {
                    $this->imports[] = ['path' => $this->written($node->prefix) . '\\' . $use->name->toString(), 'line' => $use->name->getStartLine()];
                }
                break;
            case $node instanceof Expr\Include_:
                $this->included($node->expr);
                break;
        }
    }

    // A name as it is written.
    private function written(Node\Name $name): string
    {
        return $name->toCodeString() === '\\' . $name->toString() ? '\\' . $name->toString() : $name->toCodeString();
    }

    // The name that an expression ends with, as it is written; null where it has none.
    private function named($node): ?array
    {
        switch (true) {
            case $node instanceof Node\Name:
                return [$this->written($node), $node->getStartLine()];
            case $node instanceof Node\Identifier:
                return [$node->name, $node->getStartLine()];
            case $node instanceof Node\VarLikeIdentifier:
                return ['$' . $node->name, $node->getStartLine()];
            case $node instanceof Expr\Variable && is_string($node->name):
                return ['$' . $node->name, $node->getStartLine()];
            case $node instanceof Expr\Variable && $node->name instanceof Expr\Variable && is_string($node->name->name):
                return ['$$' . $node->name->name, $node->getStartLine()];
            case $node instanceof Expr\PropertyFetch:
            case $node instanceof Expr\NullsafePropertyFetch:
                return $this->named($node->name);
            case $node instanceof Expr\StaticPropertyFetch:
                $found = $this->named($node->name);
                return $found && $found[0][0] !== '$' ? ['$' . $found[0], $found[1]] : $found;
        }
        return null;
    }

    private function called($node): void
    {
        if ($found = $this->named($node)) {
            $this->calls[] = ['name' => $found[0], 'line' => $found[1]];
        }
    }

    private function assigned($node): void
    {
        if ($found = $this->named($node)) {
            $this->functions[] = ['name' => $found[0], 'line' => $found[1]];
        }
    }

    private function included($node): void
    {
        if ($node instanceof Expr\BinaryOp\Concat && $this->here($node->left)) {
            $node = $node->right;
        }
        if ($node instanceof Scalar\String_ && $node->value !== '' && strpbrk($node->value, "\\\n") === false) {
            $this->imports[] = ['path' => $node->value, 'line' => $node->getStartLine()];
        }
    }

    private function here($node): bool
    {
        return $node instanceof Scalar\MagicConst\Dir
            || $node instanceof Expr\FuncCall && $node->name instanceof Node\Name && $node->name->toString() === 'dirname'
            && count($node->args) === 1 && $node->args[0]->value instanceof Scalar\MagicConst\File;
    }
}

$root = rtrim($argv[1], '/');
$paths = [];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS)) as $file) {
    if ($file->isFile() && !$file->isLink() && $file->getExtension() === 'php') {
        $paths[] = $file->getPathname();
    }
}
sort($paths, SORT_STRING);
$lexer = new Lexer\Emulative(['usedAttributes' => ['startLine', 'endLine', 'kind']]);
$parser = (new ParserFactory())->create(ParserFactory::PREFER_PHP7, $lexer);
foreach ($paths as $path) {
    try {
        $tree = $parser->parse(file_get_contents($path));
    } catch (PhpParser\Error $e) {
        continue;
    }
    $facts = new Facts();
    $traverser = new NodeTraverser();
    $traverser->addVisitor($facts);
    $traverser->traverse($tree);
    $line = json_encode(['file' => substr($path, strlen($root) + 1), 'functions' => $facts->functions, 'imports' => $facts->imports,
        'calls' => $facts->calls], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    if ($line !== false) {
        echo $line, "\n";
    }
}
