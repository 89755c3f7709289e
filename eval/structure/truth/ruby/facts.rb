# Prints what Ripper reads from the .rb files below a folder, as JSON lines:
#
#   apt-get install ruby && ruby facts.rb DIR > ruby.jsonl
#
# A file that it does not parse is left out. A name that is written alone, which
# may be a variable, is no call; nor is what is assigned to (a.b = c), nor an
# operator.
require "find"
require "json"
require "ripper"

class Facts
  attr_reader :functions, :imports, :calls

  NAMES = %i[@ident @const @kw].freeze

  def initialize
    @functions = []
    @imports = []
    @calls = []
  end

  def to_h = { functions: @functions, imports: @imports, calls: @calls }

  def tokens(source)
    before = nil
    Ripper.lex(source).each do |(line, _), kind, text, _|
      @calls << { name: text, line: line } if kind == :on_kw && text == "super" && before != :on_symbeg
      before = kind
    end
  end

  def walk(root)
    waiting = [root]
    until waiting.empty?
      node = waiting.pop
      next unless node.is_a?(Array)
      node(node) if node[0].is_a?(Symbol)
      waiting.concat(node)
    end
  end

  private

  def node(node)
    case node[0]
    when :def then function(node[1])
    when :defs then function(node[3])
    when :fcall then call(node[1])
    when :call then call(node[3])
    when :command
      call(node[1])
      import(node[1], node[2])
    when :command_call then call(node[3])
    when :method_add_arg
      import(node[1][1], node[2]) if node[1][0] == :fcall
    when :assign
      function(node[1][1]) if node[1][0] == :var_field && lambda?(node[2])
    when :opassign
      function(node[1][1]) if node[1][0] == :var_field && node[2][1] == "||=" && lambda?(node[3])
    end
  end

  def function(name) = @functions << { name: name[1], line: name[2][0] }

  def call(name)
    @calls << { name: name[1], line: name[2][0] } if name.is_a?(Array) && NAMES.include?(name[0])
  end

  def lambda?(node)
    return true if node[0] == :lambda
    node[0] == :method_add_block && node[1][0] == :method_add_arg && node[1][1][0] == :fcall && %w[lambda proc].include?(node[1][1][1][1]) ||
      node[0] == :method_add_block && node[1][0] == :fcall && %w[lambda proc].include?(node[1][1][1])
  end

  def import(name, args)
    return unless name[0] == :@ident && %w[require require_relative autoload load].include?(name[1])
    args = args[1] while args.is_a?(Array) && %i[arg_paren args_add_block].include?(args[0])
    return unless args.is_a?(Array)
    literal = args[name[1] == "autoload" ? 1 : 0]
    return unless literal.is_a?(Array) && literal[0] == :string_literal
    content = literal[1][1..]
    return unless content.size == 1 && content[0][0] == :@tstring_content && !content[0][1].match?(/[\\\n]/)
    @imports << { path: content[0][1], line: content[0][2][0] }
  end
end

root = ARGV[0].chomp("/")
paths = Find.find(root).select { |path| path.end_with?(".rb") && File.file?(path) && !File.symlink?(path) }
paths.sort.each do |path|
  source = File.read(path, encoding: "UTF-8")
  next unless source.valid_encoding?
  tree = Ripper.sexp(source) or next
  facts = Facts.new
  facts.walk(tree)
  facts.tokens(source)
  puts JSON.generate({ file: path.delete_prefix("#{root}/") }.merge(facts.to_h))
rescue SystemStackError, ArgumentError
  next
end
