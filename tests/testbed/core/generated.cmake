# SPDX-License-Identifier: Apache-2.0
# Classes of the core library from templates: what says the same for each primitive type, and tables. Adds to core_sources.
set(core_templates ${CMAKE_CURRENT_LIST_DIR})

# Configures the template with the caller's variables to the file of a class.
function(stillframe_generate_core template class)
  string(REPLACE . / path ${class})
  configure_file(${core_templates}/${template}.java.in ${testbed_folder}/core-generated/${path}.java @ONLY)
  set(core_sources ${core_sources} ${testbed_folder}/core-generated/${path}.java PARENT_SCOPE)
endfunction()

foreach(input IN ITEMS throwables.txt functions.txt Arrays.every_primitive.in Arrays.ordered_primitive.in Integer.members.in)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${core_templates}/${input})
endforeach()

file(READ ${core_templates}/Arrays.every_primitive.in every_primitive)
file(READ ${core_templates}/Arrays.ordered_primitive.in ordered_primitive)
set(members_of_primitives "")
foreach(pair IN ITEMS boolean:Boolean byte:Byte char:Character short:Short int:Integer long:Long float:Float double:Double)
  string(REGEX MATCH "(.*):(.*)" pair ${pair})
  set(primitive ${CMAKE_MATCH_1})
  set(Box ${CMAKE_MATCH_2})
  string(CONFIGURE "${every_primitive}" members @ONLY)
  string(APPEND members_of_primitives "${members}\n")
  if(NOT primitive STREQUAL "boolean")
    string(CONFIGURE "${ordered_primitive}" members @ONLY)
    string(APPEND members_of_primitives "${members}\n")
  endif()
endforeach()
stillframe_generate_core(Arrays java.util.Arrays)

file(STRINGS ${core_templates}/throwables.txt rows REGEX "^[^#]")
foreach(row IN LISTS rows)
  string(REGEX MATCH "(.*)\\.(.*) (.*)" row ${row})
  set(package ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(superclass ${CMAKE_MATCH_3})
  stillframe_generate_core(Throwable ${package}.${name})
endforeach()

file(STRINGS ${core_templates}/functions.txt rows REGEX "^[^#]")
foreach(row IN LISTS rows)
  string(REGEX MATCH "((.[A-Za-z]+)[^:]*): (.*)" row ${row})
  set(type ${CMAKE_MATCH_1})
  set(method ${CMAKE_MATCH_3})
  stillframe_generate_core(Function java.util.function.${CMAKE_MATCH_2})
endforeach()

# The variables of the templates of numbers, a row a class.
macro(stillframe_generate_number template)
  foreach(value IN ITEMS ${ARGN})
    string(REGEX MATCH "([^=]*)=(.*)" value ${value})
    set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  endforeach()
  stillframe_generate_core(${template} java.lang.${Box})
endmacro()
set(members "")
stillframe_generate_number(SmallNumber primitive=byte Box=Byte SIZE=8 MASK=0xff MIN_VALUE=-128 MAX_VALUE=127)
stillframe_generate_number(WholeNumber primitive=long Box=Long Int=Long SIZE=64 MIN_VALUE=0x8000000000000000L
  MAX_VALUE=0x7fffffffffffffffL "hash_code=(int) (number ^ number >>> 32)")
string(JOIN "\n" members "" "  public static short reverseBytes(short number) {"
  "    return (short) (number << 8 | number >> 8 & 0xff);" "  }" "")
stillframe_generate_number(SmallNumber primitive=short Box=Short SIZE=16 MASK=0xffff MIN_VALUE=-32768 MAX_VALUE=32767)
file(READ ${core_templates}/Integer.members.in members)
stillframe_generate_number(WholeNumber primitive=int Box=Integer Int=Int SIZE=32 MIN_VALUE=0x80000000 MAX_VALUE=0x7fffffff
  hash_code=number)
stillframe_generate_number(FloatingNumber primitive=float Box=Float SIZE=32 bits=int Bits=Int BitsBox=Integer
  MAX_VALUE=0x1.fffffeP+127f MIN_NORMAL=0x1.0p-126f MIN_VALUE=0x0.000002P-126f)
stillframe_generate_number(FloatingNumber primitive=double Box=Double SIZE=64 bits=long Bits=Long BitsBox=Long
  MAX_VALUE=0x1.fffffffffffffP+1023 MIN_NORMAL=0x1.0p-1022 MIN_VALUE=0x0.0000000000001P-1022)

foreach(number IN ITEMS int:Integer:Int long:Long:Long)
  string(REGEX MATCH "(.*):(.*):(.*)" number ${number})
  set(primitive ${CMAKE_MATCH_1})
  set(Box ${CMAKE_MATCH_2})
  set(Int ${CMAKE_MATCH_3})
  stillframe_generate_core(AtomicNumber java.util.concurrent.atomic.Atomic${Box})
  stillframe_generate_core(AtomicNumberArray java.util.concurrent.atomic.Atomic${Box}Array)
endforeach()

set(prints "")
foreach(type IN ITEMS boolean char int long float double char[] Object)
  foreach(print IN ITEMS print println)
    string(APPEND prints "  public void ${print}(${type} value) {\n    ${print}(String.valueOf(value));\n  }\n\n")
  endforeach()
endforeach()
stillframe_generate_core(PrintStream java.io.PrintStream)
stillframe_generate_core(PrintWriter java.io.PrintWriter)
