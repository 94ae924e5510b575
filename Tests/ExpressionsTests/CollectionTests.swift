// SPDX-License-Identifier: MIT

@testable import RoundelExpressions
import Testing

extension Names {
  /// Lists and records, as a service sends them.
  static let shop: Names = {
    func order(_ id: Int, _ open: Bool, _ price: Double) -> Value {
      .record([
        Field("id", .integer(id)), Field("open", .flag(open)), Field("price", .number(price)),
        Field("tags", .list([.text("a"), .text("b\(id)")])),
      ])
    }
    var names = Names.kiosk
    names.values["orders"] = .list([order(1, true, 4.5), order(2, false, 3), order(3, true, 0.5)])
    names.values["order"] = order(4, true, 9)
    names.values["mixed"] = .list([.number(1), .text("a"), .flag(true), .list([])])
    names.values["empty"] = .list([])
    names.values["texts"] = .record([Field("alarm_1", .text("Fire"))])
    return names
  }()

  static func numbers(_ numbers: Double...) -> Value { .list(numbers.map { .number($0) }) }
  static func texts(_ texts: String...) -> Value { .list(texts.map { .text($0) }) }
}

@Suite struct CollectionTests {
  @Test(
    arguments: [
      ("[1, 2] + [cups]", Names.numbers(1, 2, 3)), ("[]", .list([])), ("{}", .record([])),
      ("[7, 8, 9][1]", .number(8)), ("{'a': 1, 'b': guest}.b", .text("Ada")),
      ("{'a': {'b': [5]}}['a'].b[0]", .number(5)), ("{'x y': 1}.`x y`", .number(1)),
      ("{'a': 1, 'b': 2}", .record([Field("a", .number(1)), Field("b", .number(2))])),
      ("orders[1].price + order.price", .number(12)), ("order.tags[1]", .text("b4")),
      ("orders[size(orders) - 1].tags[0]", .text("a")),
      ("texts['alarm_' + string(1)]", .text("Fire")),
      ("2 in [1, 2] && !(3 in [1, 2]) && 'b' in {'b': 1} && !('c' in {'b': 1})", .flag(true)),
      ("'a' in mixed && 1 in mixed && true in mixed && [] in mixed && !(2 in mixed)", .flag(true)),
      ("{'a': 1, 'b': [2]} == {'b': [2], 'a': 1} && {'a': 1} != {'b': 1}", .flag(true)),
      ("[1, 'a'] == [1, 'a'] && [1, 'a'] != ['a', 1] && [1] != [1, 2]", .flag(true)),
      ("dyn(1) == 'a' || dyn(true) == 1", .flag(false)), ("mixed[1] != 1", .flag(true)),
      ("false < true && true <= true && !(true < false) && true > false", .flag(true)),
      ("size({'a': 1}) + size([1, 2])", .number(3)),
      ("string([1, {'a': [true]}])", .text("1, a true")),
      ("open ? [1] : []", Names.numbers(1)), ("[[1], [2, 3]].map(x, size(x))", Names.numbers(1, 2)),
      // `has`
      ("has(order.price) && !has(order.pryce) && has(orders[2]) && !has(orders[3])", .flag(true)),
      ("!has(orders[7].price.a) && has(cups) && !has(broken) && !has(order.none.a)", .flag(true)),
      ("orders.filter(o, has(o.none) || o.id > 2).map(o, o.id)", Names.numbers(3)),
      // Macros
      ("orders.filter(o, o.open).map(o, o.price)", Names.numbers(4.5, 0.5)),
      ("orders.map(o, o.open, o.id)", Names.numbers(1, 3)),
      ("[1, 2].map(x, [x, x * 2][1])", Names.numbers(2, 4)),
      ("orders.all(o, o.price > 0) && !orders.all(o, o.open)", .flag(true)),
      ("orders.exists(o, o.id == 2) && !orders.exists(o, o.id == 4)", .flag(true)),
      ("orders.exists_one(o, !o.open) && !orders.exists_one(o, o.open)", .flag(true)),
      ("empty.all(x, x > 1) && !empty.exists(x, x > 1) && !empty.exists_one(x, true)", .flag(true)),
      ("{'a': 1, 'b': 2}.map(k, k + '!')", Names.texts("a!", "b!")),
      ("order.filter(k, k.startsWith('p'))", Names.texts("price")),
      (
        "[1, 2].map(x, [10, 20].map(y, x * y))",
        .list([Names.numbers(10, 20), Names.numbers(20, 40)])
      ),
      ("[1, 2].map(cups, cups + .cups)", Names.numbers(4, 5)),
      ("[1].map(x, [2].map(x, x))[0][0]", .number(2)),
      ("[1, 2, 3].filter(x, x in [2, 3].filter(y, y > 2))", Names.numbers(3)),
      (
        "[[1, 2], [3]].map(x, x.map(y, y + 1).filter(z, z > 2))",
        .list([Names.numbers(3), Names.numbers(4)])
      ),
      // An undefined item doesn't matter if another one decides, as in CEL.
      ("[1, 0, 2].exists(x, 4 / x == 2) && !mixed.all(x, x < 0)", .flag(true)),
      ("[0, 1].exists(x, 1 / x == 1) && ![1, 0].all(x, 1 / x > 1)", .flag(true)),
      // Functions of lists
      ("lists.range(4)", Names.numbers(0, 1, 2, 3)), ("lists.range(0)", .list([])),
      ("[3, 1, 2].sort()", Names.numbers(1, 2, 3)),
      ("['b', 'ä', 'a'].sort()", Names.texts("a", "b", "ä")),
      ("[true, false].sort() == [false, true] && [now].sort() == [now]", .flag(true)),
      ("[1, 2, 1.0, -0, 0].distinct()", Names.numbers(1, 2, 0)),
      (
        "[{'a': 1, 'b': 2}, {'b': 2, 'a': 1}, {'a': 2}, 1, '1', true].distinct().size()", .number(5)
      ),
      ("[1, 2, 3, 4].slice(1, 3)", Names.numbers(2, 3)), ("[1].slice(1, 1)", .list([])),
      ("[1, 2].first() + [1, 2].last()", .number(3)), ("[1, 2].reverse()", Names.numbers(2, 1)),
      ("sum(orders.map(o, o.price)) + sum([])", .number(8)),
      ("math.greatest(orders.map(o, o.id))", .number(3)),
      ("math.least(2, 1, 3) + math.greatest(4) + math.least([5])", .number(10)),
      ("math.sign(-2) + math.trunc(-1.5) + math.abs(-3) + math.ceil(0.1)", .number(2)),
      // Conversions
      ("int(-1.9) + int('12') + double('0.5')", .number(11.5)),
      ("bool('t') && !bool('False') && bool(true)", .flag(true)),
      ("dyn(guest) + '!'", .text("Ada!")),
    ] as [(String, Value)])
  func `an expression of lists and records has a value`(_ text: String, _ value: Value) throws {
    #expect(try Names.shop.value(text) == value)
    let again = try Expression(text).description
    #expect(try Names.shop.value(again) == value, "\(again)")
  }

  @Test(arguments: [
    ("'tacocat'.charAt(3) + 'ä'.charAt(1) + 'aäb'.charAt(1)", "oä"),
    ("string(['tacocat'.indexOf('ac'), 'äbä'.indexOf('ä', 1), 'a'.indexOf('b')])", "1, 2, -1"),
    ("string(['abc'.indexOf(''), 'abc'.indexOf('', 2), 'aaa'.indexOf('aa', 1)])", "0, 2, 1"),
    (
      "string(['ababa'.lastIndexOf('aba'), 'ababa'.lastIndexOf('aba', 1), 'a'.lastIndexOf('b')])",
      "2, 0, -1"
    ),
    ("'äAZ'.lowerAscii() + 'äaz'.upperAscii()", "äazäAZ"), ("'aaa'.replace('a', 'bb')", "bbbbbb"),
    ("'aaaa'.replace('aa', 'b') + 'aaa'.replace('a', '', 2)", "bba"),
    ("'äb'.replace('', '-')", "-ä-b-"),
    ("'a,b,,c'.split(',').join('|')", "a|b||c"), ("'a,b,c'.split(',', 2).join('|')", "a|b,c"),
    ("'äbc'.split('').join('|') + string(''.split('').size())", "ä|b|c0"),
    ("'äbc'.split('', 2).join('|') + string('ab'.split(',', 0).size())", "ä|bc0"),
    ("'äbcd'.substring(1) + 'äbcd'.substring(0, 2)", "bcdäb"), ("'a'.substring(1)", ""),
    ("'<' + ' \\u00a0a b\\n'.trim() + '>' + '  '.trim()", "<a b>"), ("'aä🎰'.reverse()", "🎰äa"),
    ("['a', 'b'].join() + ['a'].join('x') + [].join('x')", "aba"),
  ])
  func `string functions count characters`(_ text: String, _ value: String) throws {
    #expect(try Names.shop.value(text) == .text(value))
    #expect(try Names.shop.value(Expression(text).description) == .text(value))
  }

  @Test(arguments: [
    ("orders[3]", "\"orders[3]\" is missing: the list of 3 has no item 3"),
    ("orders[-1]", "\"orders[-1]\" is missing: the list of 3 has no item -1"),
    ("orders[0.5]", "\"orders[0.5]\" is missing: the list of 3 has no item 0.5"),
    ("orders[1].pryce", "\"orders[1].pryce\" is missing"),
    ("order['x']", "\"order[\"x\"]\" is missing"),
    ("orders.map(o, o.none)", "\"o.none\" is missing in item 0 of \"orders\""),
    ("orders.filter(o, 1 / (o.id - 2) > 0)", "division by zero in item 1 of \"orders\""),
    ("orders.all(o, o.price / 0 > 0)", "division by zero in item 0 of \"orders\""),
    (
      "orders.map(o, o.tags.map(t, number(t)))",
      "number() of a string that is not a number in item 0 of \"o.tags\" in item 0 of \"orders\""
    ),
    ("mixed[1].a", "only records have members such as \"a\", not a string"),
    ("has(mixed[0].a)", "only records have members such as \"a\", not a number"),
    ("has(order[mixed[3][0]])", "\"mixed[3][0]\" is missing: the list of 0 has no item 0"),
    ("mixed[0][0]", "only lists and records have items, not a number"),
    (
      "mixed.map(x, x + 1)",
      "\"+\" takes two numbers or two strings or two lists, not a string and a number in item 1 of \"mixed\""
    ),
    ("mixed.all(x, x)", "\"all\" asks for a flag, not a number in item 0 of \"mixed\""),
    ("mixed[0].map(x, x)", "\"map\" takes a list or a record, not a number"),
    ("sum(mixed)", "\"sum\" takes a list of numbers, not of strings in item 1"),
    ("mixed.sort()", "\"sort\" takes items of one kind in item 1"),
    ("mixed.join()", "\"join\" takes a list of strings, not a number in item 0"),
    ("empty.first()", "\"first\" of an empty list"),
    ("math.least(empty)", "\"math.least\" of an empty list"),
    ("[1].slice(0, 2)", "\"slice\" from 0 to 2 is not within 0 to 1"),
    ("'abc'.substring(2, 1)", "\"substring\" from 2 to 1 is not within 0 to 3"),
    ("'a'.charAt(2)", "\"charAt\" from 2 to 1 is not within 0 to 1"),
    ("'a'.charAt(-1)", "\"charAt\" from -1 to 0 is not within 0 to 1"),
    ("'a'.indexOf('a', 2)", "\"indexOf\" from 2 to 1 is not within 0 to 1"),
    ("'a'.charAt(0.5)", "\"charAt\" takes a whole number, not 0.5"),
    ("lists.range(1e6)", "\"lists.range\" takes a whole number from 0 to 100000"),
    ("lists.range(-1)", "\"lists.range\" takes a whole number from 0 to 100000"),
    ("int('1.5')", "int() of a string that is not a whole number"),
    ("int(1e19)", "int() of a number that is too large"),
    ("bool('TrUe')", "bool() of a string that is neither true nor false"),
    ("{guest: 1, 'Ad' + 'a': 2}", "a record has the member \"Ada\" twice"),
    ("{mixed[0]: 1}", "the name of a member is a string, not a number"),
    ("[[[[[[[[[1]]]]]]]]]", "the result has more than 8 levels of lists and records"),
    ("sum([1e308, 1e308])", "the result of \"sum\" is too large"),
    ("order.price['a']", "only records have members such as \"a\", not a number"),
  ])
  func `an undefined item or member says why`(_ text: String, _ reason: String) {
    #expect(throws: EvaluationError.undefined(reason)) { try Names.shop.value(text) }
  }

  @Test func `names of members are part of a name only until a name is found`() throws {
    let expression = try Expression("order.price + orders[0].id + slots.values.left + dial.value")
      .resolved(in: Names.shop)
    #expect(expression.names == ["order", "orders", "slots.values", "dial.value"])
    #expect(try Expression("order.price").resolved(in: Names.shop).singleName == nil)
    #expect(try Names.shop.text("{order.price:.2f} { {'a': 1}.a:02d} { {'a': {}}.a}") == "9.00 01 ")
    #expect(
      try Expression("orders.map(o, order.price + o.id)").names == [
        NamePath("orders"), NamePath("order", "price"),
      ])
  }

  @Test(arguments: [
    ("orders", ["orders"]),
    (
      "orders[1].price + orders[0].id + order.price",
      ["orders 1 price", "orders 0 id", "order price"]
    ),
    ("order['price'] + orders[1]['price'] * 2", ["order price", "orders 1 price"]),
    ("orders[cups].price", ["orders", "cups"]),
    ("orders[order.id].price + orders[2].id", ["order id", "orders", "orders 2 id"]),
    ("orders[0.5].price", ["orders"]),
    ("has(orders[0].price) ? 1 : size(orders[1])", ["orders", "orders 1"]),
    ("orders.map(o, o.price + order.price)", ["orders", "order price"]),
    ("order.price > 2 ? orders[0].price : 1", ["order price", "orders 0 price"]),
    ("(true ? orders : orders)[0].price", ["orders"]),
  ])
  func `an expression reads constant items and members`(_ text: String, _ parts: [String]) throws {
    let expression = try Expression(text).resolved(in: Names.shop)
    let read = expression.accesses.map { access in
      access.keys.reduce("\(access.name)") {
        switch $1 {
        case .item(let place): "\($0) \(place)"
        case .member(let name): "\($0) \(name)"
        }
      }
    }
    #expect(Set(read) == Set(parts))
  }

  @Test func `the kinds of items are known from the first value`() throws {
    struct Typed: NameSpace {
      func find(_ path: NamePath) -> (name: Int, kind: Value.Kind)? {
        path == NamePath("prices") ? (0, .list) : path == NamePath("words") ? (1, .record) : nil
      }
      func elementKind(of name: Int) -> Value.Kind { name == 0 ? .number : .text }
    }
    for (text, kind, element) in [
      ("prices", Value.Kind.list, Value.Kind.number), ("prices[0]", .number, .any),
      ("words.a", .text, .any),
      ("prices.map(x, x > 1)", .list, .flag), ("prices.filter(x, x > 1)", .list, .number),
      ("words.map(k, k)", .list, .text), ("prices + [1]", .list, .number),
      ("prices + ['a']", .list, .any),
      ("prices.sort().slice(0, 1).reverse()", .list, .number), ("prices.first()", .number, .any),
      ("words['a'].split(',')", .list, .text), ("[1, 'a']", .list, .any), ("dyn(1)", .any, .any),
      ("lists.range(2)", .list, .number), ("{'a': true}", .record, .flag),
      ("true ? prices : [1]", .list, .number),
    ] {
      let resolved = try Expression(text).resolved(in: Typed())
      #expect(resolved.kind == kind && resolved.elementKind == element, "\(text)")
    }
    for text in ["prices[0] + 'a'", "words.a + 1", "'a' in prices", "words.map(k, k + 1)"] {
      #expect(throws: ExpressionError.self, "\(text)") {
        try Expression(text).resolved(in: Typed())
      }
    }
  }

  @Test func `a value has the common kind of its items`() {
    #expect(Names.numbers(1, 2).elementKind == .number && Value.list([]).elementKind == .any)
    #expect(Value.list([.number(1), .text("")]).elementKind == .any)
    #expect(Value.record([Field("a", .flag(true))]).elementKind == .flag)
    #expect(Value.number(1).elementKind == .any)
  }

  @Test func `a scope reads one member of a name`() throws {
    struct Texts: NameSpace, Scope {
      func find(_ path: NamePath) -> (name: Int, kind: Value.Kind)? {
        path == NamePath("texts") ? (0, .record) : nil
      }
      func value(of name: Int, budget: inout WorkBudget) throws(EvaluationError) -> Value {
        throw .undefined("all texts")
      }
      func member(
        _ key: String, of name: Int, budget: inout WorkBudget
      ) throws(EvaluationError) -> Value? {
        key.hasPrefix("alarm_") ? .text("<\(key)>") : nil
      }
    }
    var budget = Names.budget
    for (text, value) in [
      ("texts['alarm_' + string(2)]", Value.text("<alarm_2>")),
      ("texts.alarm_1", .text("<alarm_1>")),
      ("has(texts.alarm_1) && !has(texts['b'])", .flag(true)),
    ] {
      #expect(
        try Expression(text).resolved(in: Texts()).value(in: Texts(), budget: &budget) == value)
    }
    #expect(throws: EvaluationError.undefined("\"texts.b\" is missing")) {
      try Expression("texts.b").resolved(in: Texts()).value(in: Texts(), budget: &budget)
    }
  }

  @Test func `each function is described once`() throws {
    let names = FunctionSummary.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.contains("math.trunc") && names.contains("map") && names.contains("getHours"))
    #expect(FunctionSummary.reservedNames.allSatisfy { names.contains($0) })
    for function in FunctionSummary.all {
      #expect(function.isMethod == (function.receiver != nil))
      #expect(["now", "text", "list", nil].contains(function.receiver), "\(function.signature)")
    }
  }
}
