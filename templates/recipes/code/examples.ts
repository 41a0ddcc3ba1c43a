/**
 * Small programs that prompts name in words: "a for loop in python". By what they show, then by language; the first
 * language is taken where the prompt names none.
 */
export const examples: Record<string, Record<string, string>> = {
  hello: {
    python: 'print("Hello, world!")',
    javascript: "console.log('Hello, world!')",
    typescript: "console.log('Hello, world!')",
    go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("Hello, world!")\n}',
    rust: 'fn main() {\n    println!("Hello, world!");\n}',
    java: 'class Hello {\n  public static void main(String[] args) {\n    System.out.println("Hello, world!");\n  }\n}',
    kotlin: 'fun main() {\n    println("Hello, world!")\n}',
    swift: 'print("Hello, world!")',
    c: '#include <stdio.h>\n\nint main(void) {\n  puts("Hello, world!");\n  return 0;\n}',
    cpp: '#include <iostream>\n\nint main() {\n  std::cout << "Hello, world!\\n";\n}',
    csharp: 'Console.WriteLine("Hello, world!");',
    php: '<?php\necho "Hello, world!";',
    ruby: 'puts "Hello, world!"',
    bash: 'echo "Hello, world!"',
    lua: 'print("Hello, world!")',
    perl: 'print "Hello, world!\\n";',
    r: 'cat("Hello, world!\\n")',
    html: '<h1>Hello, world!</h1>',
  },
  loop: {
    python: 'for i in range(1, 11):\n    print(i)',
    javascript: 'for (let i = 1; i <= 10; i++) {\n  console.log(i)\n}',
    typescript: 'for (let i = 1; i <= 10; i++) {\n  console.log(i)\n}',
    go: 'for i := 1; i <= 10; i++ {\n\tfmt.Println(i)\n}',
    rust: 'for i in 1..=10 {\n    println!("{i}");\n}',
    java: 'for (int i = 1; i <= 10; i++) {\n  System.out.println(i);\n}',
    kotlin: 'for (i in 1..10) {\n    println(i)\n}',
    swift: 'for i in 1...10 {\n    print(i)\n}',
    c: 'for (int i = 1; i <= 10; i++) {\n  printf("%d\\n", i);\n}',
    cpp: 'for (int i = 1; i <= 10; i++) {\n  std::cout << i << "\\n";\n}',
    csharp: 'for (int i = 1; i <= 10; i++)\n{\n    Console.WriteLine(i);\n}',
    php: '<?php\nfor ($i = 1; $i <= 10; $i++) {\n  echo $i, "\\n";\n}',
    ruby: '(1..10).each do |i|\n  puts i\nend',
    bash: 'for i in {1..10}; do\n  echo "$i"\ndone',
  },
  while: {
    python: 'count = 3\nwhile count > 0:\n    print(count)\n    count -= 1',
    javascript: 'let count = 3\nwhile (count > 0) {\n  console.log(count)\n  count--\n}',
    java: 'int count = 3;\nwhile (count > 0) {\n  System.out.println(count);\n  count--;\n}',
    c: 'int count = 3;\nwhile (count > 0) {\n  printf("%d\\n", count);\n  count--;\n}',
  },
  condition: {
    python: 'age = 18\nif age >= 18:\n    print("Welcome")\nelse:\n    print("Too young")',
    javascript: "const age = 18\nif (age >= 18) {\n  console.log('Welcome')\n} else {\n  console.log('Too young')\n}",
    java: 'int age = 18;\nif (age >= 18) {\n  System.out.println("Welcome");\n} else {\n  System.out.println("Too young");\n}',
    go: 'if age >= 18 {\n\tfmt.Println("Welcome")\n} else {\n\tfmt.Println("Too young")\n}',
  },
  function: {
    python: 'def greet(name):\n    return f"Hello, {name}!"\n\nprint(greet("Ada"))',
    javascript: 'function greet(name) {\n  return `Hello, ${name}!`\n}\n\nconsole.log(greet(\'Ada\'))',
    typescript: 'function greet(name: string): string {\n  return `Hello, ${name}!`\n}',
    go: 'func greet(name string) string {\n\treturn "Hello, " + name + "!"\n}',
    rust: 'fn greet(name: &str) -> String {\n    format!("Hello, {name}!")\n}',
    java: 'static String greet(String name) {\n  return "Hello, " + name + "!";\n}',
    c: 'int add(int a, int b) {\n  return a + b;\n}',
    ruby: 'def greet(name)\n  "Hello, #{name}!"\nend',
  },
  add: {
    python: 'def add(a, b):\n    return a + b\n\nprint(add(2, 3))',
    javascript: 'function add(a, b) {\n  return a + b\n}\n\nconsole.log(add(2, 3))',
    typescript: 'function add(a: number, b: number): number {\n  return a + b\n}\n\nconsole.log(add(2, 3))',
    go: 'func add(a, b int) int {\n\treturn a + b\n}\n\nfunc main() {\n\tfmt.Println(add(2, 3))\n}',
    rust: 'fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\nfn main() {\n    println!("{}", add(2, 3));\n}',
    java: 'static int add(int a, int b) {\n  return a + b;\n}\n\nSystem.out.println(add(2, 3));',
    kotlin: 'fun add(a: Int, b: Int) = a + b\n\nfun main() {\n    println(add(2, 3))\n}',
    swift: 'func add(_ a: Int, _ b: Int) -> Int {\n    a + b\n}\n\nprint(add(2, 3))',
    c: 'int add(int a, int b) {\n  return a + b;\n}\n\nint main(void) {\n  printf("%d\\n", add(2, 3));\n  return 0;\n}',
    cpp: 'int add(int a, int b) {\n  return a + b;\n}\n\nint main() {\n  std::cout << add(2, 3) << "\\n";\n}',
    csharp: 'static int Add(int a, int b)\n{\n    return a + b;\n}\n\nConsole.WriteLine(Add(2, 3));',
    php: '<?php\nfunction add($a, $b) {\n  return $a + $b;\n}\n\necho add(2, 3);',
    ruby: 'def add(a, b)\n  a + b\nend\n\nputs add(2, 3)',
    bash: 'add() {\n  echo $(( $1 + $2 ))\n}\n\nadd 2 3',
  },
  files: {
    bash: 'n=1\nfor file in *.jpg; do\n  mv "$file" "photo-$n.jpg"\n  n=$((n + 1))\ndone',
    python: 'from pathlib import Path\n\nfor n, file in enumerate(sorted(Path(".").glob("*.jpg")), 1):\n    file.rename(f"photo-{n}.jpg")',
  },
  redtext: {
    css: 'p {\n  color: red;\n}',
  },
  members: {
    sql: 'SELECT *\nFROM members;',
  },
  customers: {
    sql: 'SELECT name, email\nFROM customers\nORDER BY name;',
  },
  class: {
    python: 'class Dog:\n    def __init__(self, name):\n        self.name = name\n\n    def speak(self):\n        return f"{self.name} says woof"',
    javascript: 'class Dog {\n  constructor(name) {\n    this.name = name\n  }\n\n  speak() {\n    return `${this.name} says woof`\n  }\n}',
    java: 'class Dog {\n  private final String name;\n\n  Dog(String name) {\n    this.name = name;\n  }\n\n  String speak() {\n    return name + " says woof";\n  }\n}',
  },
  list: {
    python: 'squares = [n * n for n in range(10)]\nprint(squares)',
    javascript: 'const squares = [1, 2, 3, 4].map((n) => n * n)\nconsole.log(squares)',
  },
  fibonacci: {
    python: 'def fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a',
    javascript: 'function fib(n) {\n  let [a, b] = [0, 1]\n  while (n-- > 0) [a, b] = [b, a + b]\n  return a\n}',
    go: 'func fib(n int) int {\n\ta, b := 0, 1\n\tfor range n {\n\t\ta, b = b, a+b\n\t}\n\treturn a\n}',
    rust: 'fn fib(n: u32) -> u64 {\n    let (mut a, mut b) = (0, 1);\n    for _ in 0..n {\n        (a, b) = (b, a + b);\n    }\n    a\n}',
    java: 'static long fib(int n) {\n  long a = 0, b = 1;\n  for (int i = 0; i < n; i++) {\n    long next = a + b;\n    a = b;\n    b = next;\n  }\n  return a;\n}',
    c: 'long fib(int n) {\n  long a = 0, b = 1;\n  while (n-- > 0) {\n    long next = a + b;\n    a = b;\n    b = next;\n  }\n  return a;\n}',
  },
  factorial: {
    python: 'def factorial(n):\n    return 1 if n < 2 else n * factorial(n - 1)',
    javascript: 'const factorial = (n) => (n < 2 ? 1 : n * factorial(n - 1))',
    java: 'static long factorial(int n) {\n  return n < 2 ? 1 : n * factorial(n - 1);\n}',
    go: 'func factorial(n int) int {\n\tif n < 2 {\n\t\treturn 1\n\t}\n\treturn n * factorial(n-1)\n}',
    c: 'long factorial(int n) {\n  return n < 2 ? 1 : n * factorial(n - 1);\n}',
  },
  fizzbuzz: {
    python: 'for n in range(1, 16):\n    if n % 15 == 0:\n        print("FizzBuzz")\n    elif n % 3 == 0:\n        print("Fizz")\n    elif n % 5 == 0:\n        print("Buzz")\n    else:\n        print(n)',
    javascript: "for (let n = 1; n <= 15; n++) {\n  const word = (n % 3 ? '' : 'Fizz') + (n % 5 ? '' : 'Buzz')\n  console.log(word || n)\n}",
    go: 'for n := 1; n <= 15; n++ {\n\tswitch {\n\tcase n%15 == 0:\n\t\tfmt.Println("FizzBuzz")\n\tcase n%3 == 0:\n\t\tfmt.Println("Fizz")\n\tcase n%5 == 0:\n\t\tfmt.Println("Buzz")\n\tdefault:\n\t\tfmt.Println(n)\n\t}\n}',
  },
  bubblesort: {
    python: 'def bubble_sort(a):\n    for end in range(len(a) - 1, 0, -1):\n        for i in range(end):\n            if a[i] > a[i + 1]:\n                a[i], a[i + 1] = a[i + 1], a[i]',
    javascript: 'function bubbleSort(a) {\n  for (let end = a.length - 1; end > 0; end--) {\n    for (let i = 0; i < end; i++) {\n      if (a[i] > a[i + 1]) [a[i], a[i + 1]] = [a[i + 1], a[i]]\n    }\n  }\n}',
    java: 'static void bubbleSort(int[] a) {\n  for (int end = a.length - 1; end > 0; end--) {\n    for (int i = 0; i < end; i++) {\n      if (a[i] > a[i + 1]) {\n        int t = a[i];\n        a[i] = a[i + 1];\n        a[i + 1] = t;\n      }\n    }\n  }\n}',
    c: 'void bubble_sort(int *a, int n) {\n  for (int end = n - 1; end > 0; end--)\n    for (int i = 0; i < end; i++)\n      if (a[i] > a[i + 1]) {\n        int t = a[i];\n        a[i] = a[i + 1];\n        a[i + 1] = t;\n      }\n}',
  },
  quicksort: {
    python: 'def quicksort(a):\n    if len(a) < 2:\n        return a\n    pivot, rest = a[0], a[1:]\n    low = [x for x in rest if x < pivot]\n    high = [x for x in rest if x >= pivot]\n    return quicksort(low) + [pivot] + quicksort(high)',
    javascript: 'function quicksort(a) {\n  if (a.length < 2) return a\n  const [pivot, ...rest] = a\n  const low = rest.filter((x) => x < pivot)\n  const high = rest.filter((x) => x >= pivot)\n  return [...quicksort(low), pivot, ...quicksort(high)]\n}',
  },
  binarysearch: {
    python: 'def binary_search(a, x):\n    low, high = 0, len(a) - 1\n    while low <= high:\n        mid = (low + high) // 2\n        if a[mid] == x:\n            return mid\n        if a[mid] < x:\n            low = mid + 1\n        else:\n            high = mid - 1\n    return -1',
    javascript: 'function binarySearch(a, x) {\n  let [low, high] = [0, a.length - 1]\n  while (low <= high) {\n    const mid = (low + high) >> 1\n    if (a[mid] === x) return mid\n    if (a[mid] < x) low = mid + 1\n    else high = mid - 1\n  }\n  return -1\n}',
  },
  fetch: {
    javascript: "const answer = await fetch('/api/users')\nconst users = await answer.json()\nconsole.log(users)",
    typescript: "const answer = await fetch('/api/users')\nconst users: User[] = await answer.json()",
    python: 'import requests\n\nusers = requests.get("https://api.example/users").json()\nprint(users)',
  },
  select: {
    sql: 'SELECT *\nFROM users;',
  },
  join: {
    sql: 'SELECT users.name, orders.total\nFROM users\nJOIN orders ON orders.user_id = users.id;',
  },
  insert: {
    sql: "INSERT INTO users (name, email)\nVALUES ('Ada', 'ada@example.com');",
  },
  center: {
    css: '.parent {\n  display: flex;\n  justify-content: center;\n  align-items: center;\n}',
  },
  grid: {
    css: '.gallery {\n  display: grid;\n  grid-template-columns: repeat(3, 1fr);\n  gap: 1rem;\n}',
  },
  button: {
    javascript: 'export function Button({ label, onClick }) {\n  return <button onClick={onClick}>{label}</button>\n}',
    html: '<button type="button" onclick="alert(\'Hello!\')">\n  Click me\n</button>',
    css: '.button {\n  padding: 0.6em 1.2em;\n  border-radius: 8px;\n  color: white;\n  background: royalblue;\n}',
  },
  form: {
    html: '<form action="/join" method="post">\n  <label>Name <input name="name"></label>\n  <label>Email <input type="email" name="email"></label>\n  <button>Join</button>\n</form>',
  },
  page: {
    html: '<!DOCTYPE html>\n<html>\n  <head>\n    <title>My page</title>\n  </head>\n  <body>\n    <h1>Hello!</h1>\n  </body>\n</html>',
  },
  dockerfile: {
    bash: 'FROM node:22-slim\nWORKDIR /app\nCOPY package*.json ./\nRUN npm ci\nCOPY . .\nCMD ["node", "server.js"]',
  },
}
